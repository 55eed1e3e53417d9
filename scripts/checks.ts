import { fileURLToPath } from 'node:url';

export interface Check {
  name: string;
  program: string;
  args: string[];
  env?: Record<string, string>;
}

const beside = (module: string, file: string) => fileURLToPath(new URL(file, module));

const tsc = beside(import.meta.resolve('typescript/package.json'), 'bin/tsc');
const oxlint = beside(import.meta.resolve('oxlint/package.json'), 'bin/oxlint');
const oxfmt = beside(import.meta.resolve('oxfmt/package.json'), 'bin/oxfmt');
const cruiser = beside(import.meta.resolve('dependency-cruiser'), '../../bin/dependency-cruiser.mjs');
const knip = beside(import.meta.resolve('knip'), '../bin/knip.js');

// Go collects garbage on all processors by default; on one, and only once it holds 2 GiB, takes half the processor time.
const LEAN = { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '2GiB' };

// Each further type checker would resolve the same types again, and checks already run on all processors.
const types = (name: string, config: string): Check => ({
  name,
  program: tsc,
  args: ['-p', config, '--checkers', '1'],
  env: LEAN,
});

/** All checks. Each runs from the checked tree's root on Node 26 and fails with status 1 or 2. */
export const checks: Check[] = [
  // First, because it takes longest.
  { name: 'lint', program: oxlint, args: [], env: LEAN },
  types('types of pure code', 'tsconfig.pure.json'),
  types('types of the server', 'tsconfig.server.json'),
  types('types of the pages', 'tsconfig.web.json'),
  { name: 'format', program: oxfmt, args: ['--check'] },
  {
    name: 'boundaries',
    program: cruiser,
    // Globs: without a known compiler version, dependency-cruiser wouldn't find TypeScript files.
    args: ['-c', '.dependency-cruiser.cjs', '-T', 'err-long', '{src,scripts,tests}/**/*.{ts,tsx,mjs}'],
  },
  { name: 'vocabulary', program: 'scripts/check-features.ts', args: [] },
  { name: 'contract', program: 'scripts/check-contract.ts', args: [] },
  { name: 'texts', program: 'scripts/check-texts.ts', args: [] },
  { name: 'base data', program: 'scripts/check-data.ts', args: [] },
  { name: 'the specification', program: 'scripts/check-spec.ts', args: [] },
  { name: 'dead code', program: knip, args: ['--no-progress', '--no-config-hints'] },
  // Excludes tests, so code used only by tests counts as dead.
  {
    name: 'dead code in the product',
    program: knip,
    args: ['--no-progress', '--no-config-hints', '--production', '--include', 'files,exports,types'],
  },
];
