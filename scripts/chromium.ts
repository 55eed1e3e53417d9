import { existsSync } from 'node:fs';

/** How tests and measurements start Chromium: it asks no other server for anything, and runs as root in a container. */
export const chromiumArgs: string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The browser of a runner that was started by itself; `npm test` finds or installs one and names it in CHROME_PATH. */
export const chromiumPath: string | undefined = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => path && existsSync(path));
