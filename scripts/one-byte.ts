import type { Plugin } from 'vite';

/** Escapes what isn't ASCII: one such character makes V8 keep a file's whole source in two bytes a character. */
export function oneByteSource(): Plugin {
  return {
    name: 'italk-one-byte-source',
    applyToEnvironment: ({ name }) => name === 'ssr',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code);
      },
    },
  };
}

function escaped(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
