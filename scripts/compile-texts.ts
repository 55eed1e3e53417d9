/** Compiles messages/*.json into typed functions in src/texts (ignored by git). */
import { fileURLToPath } from 'node:url';
import { compile } from '@inlang/paraglide-js';

const root = fileURLToPath(new URL('..', import.meta.url));

await compile({
  project: `${root}project.inlang`,
  outdir: `${root}src/texts`,
  outputStructure: 'message-modules',
  // The locale is passed or the base locale; nothing is read from a global place.
  strategy: ['baseLocale'],
  isServer: 'true',
  disableAsyncLocalStorage: true,
  includeEslintDisableComment: false,
});
