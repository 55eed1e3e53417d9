/** How tests and measurements start Chromium: it asks no other server for anything, and runs as root in a container. */
export const chromiumArgs: string[] = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
