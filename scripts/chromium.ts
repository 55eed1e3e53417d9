import { existsSync } from 'node:fs';

/** Chromium flags for tests and benchmarks: no background traffic, and no sandbox as root in containers. */
export const chromiumArgs: string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** Browser for runners started directly; `npm test` sets CHROME_PATH itself. */
export const chromiumPath: string | undefined = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
