/**
 * Compiles messages/*.json into typed functions: one file per language in src/texts, which starts quickly, or with
 * `pages` one file per text in .react-router/texts, so each page loads only its own texts.
 */
import { fileURLToPath } from 'node:url';
import { compile } from '@inlang/paraglide-js';

const root = fileURLToPath(new URL('..', import.meta.url));
const forPages = process.argv[2] === 'pages';

await compile({
  project: `${root}project.inlang`,
  outdir: `${root}${forPages ? '.react-router' : 'src'}/texts`,
  outputStructure: forPages ? 'message-modules' : 'locale-modules',
  // Uses the passed locale or the base locale, never global state.
  strategy: ['baseLocale'],
  isServer: 'true',
  disableAsyncLocalStorage: true,
  includeEslintDisableComment: false,
});
