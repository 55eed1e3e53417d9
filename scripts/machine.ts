import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runTool } from './tool.ts';

/**
 * Returns the first of these programs that runs. `elsewhere` lists paths outside PATH; `oldest` is the minimum major
 * version.
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

export async function firstThatRuns(paths: readonly string[], oldest = 0): Promise<string | undefined> {
  for (const path of paths) {
    if (await runs(path, oldest)) return path;
  }
  return undefined;
}

/**
 * Checks that a program reports a recent enough version. Some systems ship stubs that only print install instructions.
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

/** Installs a Debian package when running as root; callers check whether it worked. */
export async function installPackage(name: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runTool(['apt-get', 'update'], { minutes: 2, env });
  await runTool(['apt-get', 'install', '-y', '--no-install-recommends', name], { minutes: 4, env });
}
