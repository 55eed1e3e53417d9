import { existsSync } from 'node:fs';
import { installPackage, onMachine, runs } from './machine.ts';
import { runTool } from './tool.ts';

/**
 * Finds or installs coturn, the video tests' TURN server: TURNSERVER_PATH, the system's, or as root Debian's package.
 * Throws an error naming the install command.
 */
export async function findRelay(): Promise<string> {
  const given = process.env.TURNSERVER_PATH;
  if (given) {
    if (await runs(given)) return given;
    throw new Error(
      `TURNSERVER_PATH names ${given}, which does not run: point it at coturn’s turnserver, or unset it.`,
    );
  }
  return (await found()) ?? (await fetched());
}

function found(): Promise<string | undefined> {
  return onMachine(['turnserver'], ['/opt/homebrew/bin/turnserver']);
}

async function fetched(): Promise<string> {
  console.log('No TURN server was found. Installing coturn …');
  await withoutService('coturn', () => installPackage('coturn'));
  const packaged = await found();
  if (packaged) return packaged;
  throw new Error(
    'coturn, the TURN server that the tests of video calls speak to, was not found and could not be fetched: run `apt-get install coturn` as root (or `brew install coturn`), or name its turnserver in TURNSERVER_PATH.',
  );
}

/** Prevents the package from enabling its system service; tests need only the binary. */
async function withoutService(name: string, install: () => Promise<void>): Promise<void> {
  if (!existsSync('/run/systemd/system') || process.getuid?.() !== 0) return install();
  await runTool(['systemctl', 'mask', '--runtime', name], { minutes: 0.5 });
  await install();
  await runTool(['systemctl', 'unmask', '--runtime', name], { minutes: 0.5 });
  await runTool(['systemctl', 'disable', name], { minutes: 0.5 });
}
