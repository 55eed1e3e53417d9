import { fileURLToPath } from 'node:url';

/** One part of `npm run check`: what it looks at, and the program on Node that does so, with its arguments. */
export interface Check {
  name: string;
  program: string;
  args: string[];
}

/** A file of an installed package, beside the module that the package's name leads to. */
const beside = (module: string, file: string) => fileURLToPath(new URL(file, module));

const tsc = beside(import.meta.resolve('typescript/package.json'), 'bin/tsc');
const oxlint = beside(import.meta.resolve('oxlint/package.json'), 'bin/oxlint');
const prettier = beside(import.meta.resolve('prettier'), 'bin/prettier.cjs');
const cruiser = beside(import.meta.resolve('dependency-cruiser'), '../../bin/dependency-cruiser.mjs');
const knip = beside(import.meta.resolve('knip'), '../bin/knip.js');

/** Every check of the house; each runs in the root of the tree that it looks at, on Node 26, and fails with status 1 or 2. */
export const checks: Check[] = [
  { name: 'types of pure code', program: tsc, args: ['-p', 'tsconfig.pure.json'] },
  { name: 'types of the server', program: tsc, args: ['-p', 'tsconfig.server.json'] },
  { name: 'types of the pages', program: tsc, args: ['-p', 'tsconfig.web.json'] },
  { name: 'lint', program: oxlint, args: [] },
  { name: 'format', program: prettier, args: ['--check', '--log-level', 'warn', '.'] },
  {
    name: 'boundaries',
    program: cruiser,
    // Globs, because the cruiser itself looks for TypeScript only where it finds a compiler that it knows.
    args: ['-c', '.dependency-cruiser.cjs', '-T', 'err-long', '{src,scripts,tests}/**/*.{ts,tsx,mjs}'],
  },
  { name: 'vocabulary', program: 'scripts/check-features.ts', args: [] },
  { name: 'contract', program: 'scripts/check-contract.ts', args: [] },
  { name: 'the specification', program: 'scripts/check-spec.ts', args: [] },
  { name: 'dead code', program: knip, args: ['--no-progress', '--no-config-hints'] },
  // Without the tests, so that what only tests use counts as dead.
  {
    name: 'dead code in the product',
    program: knip,
    args: ['--no-progress', '--no-config-hints', '--production', '--include', 'files,exports,types'],
  },
];
