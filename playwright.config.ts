import { defineConfig } from '@playwright/test';
import { chromiumArgs, chromiumPath } from './scripts/chromium.ts';

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/global-setup.ts',
  // Both end what hangs; no test is judged by how long it takes.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  fullyParallel: false,
  // Each has a product of its own; one more than two processors, since much of a journey is waiting.
  workers: 3,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  use: {
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    // Only the tests of the installed app have one; elsewhere it would stand between a page and its test.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath: chromiumPath,
      args: chromiumArgs,
    },
  },
});
