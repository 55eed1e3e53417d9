import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const proving = process.env.ITALK_PROVE === 'true';
const include = ['{src,scripts,tests}/**/*.test.{ts,tsx}', ...(proving ? ['{src,tests}/**/*.prove.ts'] : [])];
const exclude = ['tests/e2e/**', 'node_modules/**'];
// A mocked module stays mocked, and a process names its first 500 statements alone.
const alone = globSync(include, { exclude }).filter((file) =>
  /vi\.mock\(|pg_prepared_statements/.test(readFileSync(file, 'utf8')),
);
const shared = {
  globalSetup: ['tests/support/global-setup.ts'],
  env: { TZ: 'Asia/Kathmandu' },
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // A busy machine delivers notices and other events late.
  expect: { poll: { timeout: 10_000 } },
  pool: 'forks' as const,
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'shared', include, exclude: [...exclude, ...alone], isolate: false } },
      { test: { ...shared, name: 'alone', include: alone, isolate: true } },
    ],
  },
});
