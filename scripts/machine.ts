import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runTool } from './tool.ts';

/**
 * The first of these programs that is on the machine and runs; `elsewhere` are paths that no PATH names, `oldest` is
 * the first number of the oldest version that will do.
 */
export async function onMachine(
  names: readonly string[],
  elsewhere: readonly string[] = [],
  oldest = 0,
): Promise<string | undefined> {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/local/bin', '/snap/bin');
  return firstThatRuns(
    [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere],
    oldest,
  );
}

/** The first of these paths that is a program which runs, of this version or a later one. */
export async function firstThatRuns(paths: readonly string[], oldest = 0): Promise<string | undefined> {
  for (const path of paths) {
    if (await runs(path, oldest)) return path;
  }
  return undefined;
}

/**
 * Whether it says its version, and that this is new enough. Some systems have a file of that name which only says how
 * to install it.
 */
export async function runs(path: string, oldest = 0): Promise<boolean> {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  const { ok, output } = await runTool([path, '--version'], { minutes: 0.5 });
  const version = /(\d+)\.\d+/.exec(output)?.[1];
  return ok && version !== undefined && Number(version) >= oldest;
}

/** Installs a package of Debian's, if this is root's to do; whether it worked is seen by looking for the program. */
export async function installPackage(name: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runTool(['apt-get', 'update'], { minutes: 2, env });
  await runTool(['apt-get', 'install', '-y', '--no-install-recommends', name], { minutes: 4, env });
}
