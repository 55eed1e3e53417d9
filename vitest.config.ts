import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { chromiumArgs, chromiumPath } from './scripts/chromium.ts';
import { minifiedContract } from './scripts/contract-plugin.ts';
import { routeTable } from './scripts/route-plugin.ts';
import { sampledFiles } from './tests/support/random.ts';

const proving = process.env.ITALK_PROVE === 'true';
/** Development React takes twice the time: only `npm run prove` uses it, for its warnings. */
const reactBuild = proving ? 'development' : 'production';
const seed = Number(process.env.ITALK_SEED ?? randomInt(2 ** 31));
const include = ['{src,scripts,tests}/**/*.test.ts', ...(proving ? ['{src,tests}/**/*.prove.ts'] : [])];
const exclude = ['tests/e2e/**', 'node_modules/**'];
// These need their own process: a mocked module stays mocked, and only the first 500 statements get names.
const alone = globSync(include, { exclude }).filter((file) =>
  /vi\.mock\(|pg_prepared_statements/.test(readFileSync(file, 'utf8')),
);
const sampledOf = (files: string) =>
  sampledFiles(
    seed,
    globSync(files, { exclude }).filter((file) => readFileSync(file, 'utf8').includes("tags: ['long']")),
  );
const ofPages = ['src/**/{ui,web}/**/*.test.ts'];
const node = {
  provide: { proving, seed, sampled: sampledOf('{src,scripts,tests}/**/*.test.ts') },
  setupFiles: ['tests/support/measured-cpu.ts', 'tests/support/long-tests.ts'],
  env: { TZ: 'Asia/Kathmandu' },
  // Only stops hanging tests.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  // Notices and other events arrive late on a busy machine.
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks' as const,
};
const onServer = {
  ...node,
  globalSetup: ['tests/support/global-setup.ts'],
  setupFiles: [...node.setupFiles, 'tests/support/quick-identity.ts'],
  // Node runs this code itself, as in production, so Vite needn't transform all of the product first.
  experimental: { viteModuleRunner: false },
};

/** Prebundled: Vite reloads the page when it discovers another one. */
const inBrowser = [
  'react',
  proving ? 'react/jsx-dev-runtime' : 'react/jsx-runtime',
  'react-dom',
  'react-dom/client',
  'react-router',
  'react-router/dom',
  '@tanstack/react-query',
  '@orpc/client',
  '@orpc/contract',
  '@orpc/openapi-client/fetch',
  '@orpc/tanstack-query',
  'lucide-react',
  '@radix-ui/react-alert-dialog',
  '@radix-ui/react-dialog',
  '@radix-ui/react-toast',
  'react-day-picker',
  'react-hook-form',
  'react-image-crop',
  'uqr',
  'vitest-browser-react',
  'axe-core',
  'get-nonce',
];

process.stdout.write(`Random seed ${seed}; repeat with ITALK_SEED=${seed}\n`);

export default defineConfig({
  test: {
    tags: [{ name: 'long', description: 'a random twentieth runs in `npm test`, all in `npm run prove`' }],
    // One more than two processors: tests spend a third of their time waiting for the database or a clock.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...onServer,
          name: 'shared',
          include,
          exclude: [...exclude, ...alone, ...ofPages],
          isolate: false,
        },
      },
      { test: { ...onServer, name: 'alone', include: alone, isolate: true } },
      { plugins: [minifiedContract()], test: { ...node, name: 'pages', include: ofPages, isolate: false } },
      {
        plugins: [tailwindcss(), minifiedContract(), routeTable()],
        resolve: {
          alias: { '#': fileURLToPath(new URL('./src', import.meta.url)) },
          conditions: ['module', 'browser', reactBuild],
        },
        define: { 'process.env.NODE_ENV': JSON.stringify(reactBuild) },
        oxc: { jsx: { runtime: 'automatic', development: proving } },
        optimizeDeps: {
          include: inBrowser,
          rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': JSON.stringify(reactBuild) } } },
        },
        test: {
          name: 'components',
          provide: {
            proving,
            seed,
            sampled: sampledOf('{src,tests}/**/*.test.tsx'),
            gallery: process.env.ITALK_GALLERY,
          },
          include: ['{src,tests/components}/**/*.test.tsx'],
          setupFiles: ['tests/components/setup.ts', 'tests/support/long-tests.ts'],
          isolate: false,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // Same as in journeys.
            locators: { exact: false, errorFormat: 'aria' },
            viewport: { width: 1280, height: 900 },
            provider: playwright({
              launchOptions: {
                executablePath: chromiumPath,
                args: chromiumArgs,
              },
              contextOptions: { locale: 'en-US', timezoneId: 'America/Chicago', reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
});
