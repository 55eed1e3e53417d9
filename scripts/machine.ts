import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runTool } from './tool.ts';

/** The first of these programs that is on the machine and runs; `elsewhere` are paths that no PATH names. */
export async function onMachine(
  names: readonly string[],
  elsewhere: readonly string[] = [],
): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/local/bin', '/snap/bin');
  return firstThatRuns([
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...elsewhere,
  ]);
}

/** The first of these paths that is a program which runs. */
export async function firstThatRuns(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if (await runs(path)) return path;
  }
  return undefined;
}

/** Whether it says its version. Some systems have a file of that name which only says how to install it. */
export async function runs(path: string): Promise<boolean> {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  const { ok, output } = await runTool([path, '--version'], { minutes: 0.5 });
  return ok && /\d+\.\d+/.test(output);
}

/** Installs a package of Debian's, if this is root's to do; whether it worked is seen by looking for the program. */
export async function installPackage(name: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runTool(['apt-get', 'update'], { minutes: 2, env });
  await runTool(['apt-get', 'install', '-y', '--no-install-recommends', name], { minutes: 4, env });
}
