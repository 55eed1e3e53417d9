import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { chromiumArgs, chromiumPath } from './scripts/chromium.ts';
import { isLeftOut, proving } from './tests/e2e/support/sample.ts';

/** Files that mostly wait would end alone; files between others that start a product would make those restart theirs. */
const early = globSync('tests/e2e/*.spec.ts')
  .filter(
    (path) =>
      /(contact|emergency|video)(\.prove)?\.spec/.test(path) ||
      readFileSync(path, 'utf8').includes('startProduct('),
  )
  .map((path) => `**/${path}`);

// Workers inherit it.
if (!process.env.ITALK_SEED) {
  process.env.ITALK_SEED = String(randomInt(2 ** 31));
  const seed = process.env.ITALK_SEED;
  process.stdout.write(`Random seed ${seed}; repeat with ITALK_SEED=${seed}\n`);
}

/** `npm test` runs a random twentieth of the files of long journeys, `npm run prove` all. */
const leftOut = globSync('tests/e2e/*.prove.spec.ts')
  .filter(isLeftOut)
  .map((path) => `**/${path}`);

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/global-setup.ts',
  // Both only stop hanging tests.
  timeout: proving ? 1_800_000 : 600_000,
  expect: { timeout: 60_000 },
  fullyParallel: false,
  // Each runs its own product. Twice two processors, since journeys mostly wait.
  workers: 4,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  projects: [
    { name: 'early', testMatch: early, testIgnore: leftOut },
    { name: 'others', testIgnore: [...early, ...leftOut] },
  ],
  use: {
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    // Only the installed app's tests use service workers; elsewhere one would intercept requests.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromiumPath,
      args: chromiumArgs,
    },
  },
});
