import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { fastFolder } from './fast-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const PREPARED = 'ITALK_PREPARED_DATA';

export interface Product {
  url: string;
  dataDir: string;
  pid: number;
  query<T extends object>(sql: string, values?: unknown[]): Promise<T[]>;
  written(): string;
  stop(): Promise<number | null>;
  /** Sends SIGKILL; the database keeps running. */
  kill(): Promise<void>;
}

export const administratorEmails = Array.from(
  { length: 40 },
  (_, index) => `administrator-${index + 1}@italk.example`,
);

/** Starts the built product with demo data, by default on a free port in a fresh data folder. */
export async function startProduct(
  options: { dataDir?: string; port?: number; env?: Record<string, string> } = {},
): Promise<Product> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    ITALK_MODE: 'demo',
    ADMIN_EMAILS: ['admin@italk.example', ...administratorEmails].join(),
    ...options.env,
  };
  const dataDir = options.dataDir ?? (await temporaryFolder(env));
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  const child = spawn(process.execPath, ['build/program/main.mjs'], {
    cwd: root,
    env: { ...env, PORT: String(port), DATA_DIR: dataDir, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await ready(url, child, () => output);
  return {
    url,
    dataDir,
    pid: child.pid!,
    query: (sql, values) => query(dataDir, sql, values),
    written: () => output,
    stop: () => ended(child, 'SIGTERM'),
    kill: async () => {
      await ended(child, 'SIGKILL');
    },
  };
}

/**
 * Creates the demo data once; later products, including those of child processes, copy it in a fifth of the time.
 * Returns a cleanup function.
 */
export async function prepareData(): Promise<() => void> {
  const product = await startProduct({ dataDir: await newFolder(await fastFolder()) });
  // Copies of a product stopped during its first backup would have none.
  const backedUp = async () => (await product.query(`select 1 from backups where state = 'done'`)).length > 0;
  if (!(await soon(backedUp))) throw new Error(`The product made no backup:\n${product.written()}`);
  if (/^\{/m.test(product.written()))
    throw new Error(`The demo logs in the terminal that welcomes people:\n${product.written()}`);
  await product.stop();
  process.env[PREPARED] = product.dataDir;
  return () => deleteData(product.dataDir);
}

/** Demos start from prepared data if available, copied to a folder beside it. */
async function temporaryFolder(env: NodeJS.ProcessEnv): Promise<string> {
  const prepared = env[PREPARED];
  const folder = await newFolder(prepared ? dirname(prepared) : tmpdir());
  // A database elsewhere can't be copied with the folder.
  const whole = prepared !== undefined && databaseFolder(prepared) === prepared;
  if (whole && env.ITALK_MODE === 'demo' && !env.DATABASE_URL)
    await promisify(execFile)('cp', ['-a', `${prepared}/.`, folder]);
  return folder;
}

/** A folder deleted on exit. */
async function newFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'italk-e2e-'));
  // As root, PostgreSQL runs under another account, which needs access to this folder.
  await chmod(folder, 0o711);
  process.once('exit', () => deleteData(folder));
  return folder;
}

function deleteData(dataDir: string): void {
  for (const one of [databaseFolder(dataDir), dataDir]) rmSync(one, { recursive: true, force: true });
}

/** PostgreSQL's folder; outside the data folder when its account can't read that. */
export function databaseFolder(dataDir: string): string {
  const pointer = join(dataDir, 'database-folder');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : dataDir;
}

async function ready(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`The product ended before it was ready:\n${output()}`);
    return (await fetch(`${url}/readyz`).catch(() => null))?.ok ?? false;
  };
  if (await soon(answers)) return;
  child.kill('SIGKILL');
  throw new Error(`The product wasn't ready after three minutes:\n${output()}`);
}

/** Checks every 20 ms; false if still not true after three minutes. */
async function soon(holds: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + 180_000;
  while (performance.now() < until) {
    if (await holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  const end = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  child.kill(signal);
  return end;
}

async function query<T extends object>(dataDir: string, sql: string, values: unknown[] = []): Promise<T[]> {
  const folder = databaseFolder(dataDir);
  // Line 5 of postmaster.pid names the socket folder.
  const socket = readFileSync(join(folder, 'pg18', 'postmaster.pid'), 'utf8').split('\n')[4]!;
  const client = new pg.Client({ host: socket, user: 'italk', database: 'italk' });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
