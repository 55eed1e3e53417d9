import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deleteEmbedded } from '#/platform/db/embedded/delete.ts';
import { freePort, startProduct } from '../product.ts';
import { median, type Figure } from './figure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const rounds = 5;

/** Starts the built product with existing data until it is ready, and reads its memory then. */
export async function benchStarts(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'italk-starts-'));
  try {
    await (await startProduct({ dataDir })).stop();
    const [times, sizes]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const port = await freePort();
      const began = performance.now();
      const product = await startProduct({ dataDir, port });
      times.push(performance.now() - began);
      const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(product.pid)]);
      sizes.push(Number(stdout) / 1_000);
      await product.stop();
    }
    const [seconds, megabytes] = [median(times) / 1_000, median(sizes)];
    return [
      {
        name: 'warm start, its own database included',
        value: `${seconds.toFixed(2)} s`,
        aim: 'at most 1.5 s',
        met: seconds <= 1.5,
      },
      {
        name: 'memory of the program once ready',
        value: `${megabytes.toFixed(0)} MB`,
        aim: 'at most 180 MB',
        met: megabytes <= 180,
      },
    ];
  } finally {
    await deleteEmbedded(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Clones the last commit and starts it, with packages from npm's cache, until the first page has come. */
export async function benchClone(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'italk-clone-'));
  const clone = join(folder, 'italk');
  const dataDir = join(folder, 'data');
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone]);
  const port = await freePort();
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), DATA_DIR: dataDir },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await firstPage(`http://localhost:${port}/`, () => child.exitCode === null);
    const seconds = (performance.now() - began) / 1_000;
    const { stdout } = await run('du', ['-sm', join(clone, 'node_modules')]);
    const megabytes = Number.parseInt(stdout, 10);
    return [
      {
        name: 'a fresh clone to its first page',
        value: `${seconds.toFixed(0)} s`,
        aim: 'at most 30 s',
        met: seconds <= 30,
      },
      {
        name: 'installed packages',
        value: `${megabytes} MB`,
        aim: 'at most 350 MB',
        met: megabytes <= 350,
      },
    ];
  } finally {
    child.kill('SIGTERM');
    await ended;
    await deleteEmbedded(dataDir);
    await rm(folder, { recursive: true, force: true });
  }
}

async function firstPage(url: string, isRunning: () => boolean): Promise<void> {
  for (;;) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    if (!isRunning()) throw new Error('The clone’s start ended.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
