/**
 * Compiles messages/*.json into typed functions: into src/texts as one file per language, which starts quickly, or
 * with the argument `pages` into .react-router/texts as one file per text, so that each page carries only its own.
 */
import { fileURLToPath } from 'node:url';
import { compile } from '@inlang/paraglide-js';

const root = fileURLToPath(new URL('..', import.meta.url));
const forPages = process.argv[2] === 'pages';

await compile({
  project: `${root}project.inlang`,
  outdir: `${root}${forPages ? '.react-router' : 'src'}/texts`,
  outputStructure: forPages ? 'message-modules' : 'locale-modules',
  // The locale is passed or the base locale; nothing is read from a global place.
  strategy: ['baseLocale'],
  isServer: 'true',
  disableAsyncLocalStorage: true,
  includeEslintDisableComment: false,
});
