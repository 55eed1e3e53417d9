import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '#/platform/start-error.ts';
import { deleteEmbedded } from './embedded/delete.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts';
import { servesFolder, startOf } from './embedded/process.ts';

let base: string;
const open: EmbeddedDatabase[] = [];
const folders: string[] = [];

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'embedded-')));
  // Lets the PostgreSQL account traverse this folder when tests run as root.
  chmodSync(base, 0o711);
});

afterEach(async () => {
  for (const database of open.splice(0)) await database.stop();
});

afterAll(async () => {
  for (const folder of folders) await deleteEmbedded(folder);
  rmSync(base, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<EmbeddedDatabase> {
  folders.push(dataDir);
  const database = await openEmbedded({ dataDir });
  open.push(database);
  return database;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows[0] ?? {};
  } finally {
    await client.end();
  }
}

/** Database folder of this DATA_DIR. */
function serverFolder(dataDir: string): string {
  const pointer = join(dataDir, 'database-folder');
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : realpathSync(dataDir);
}

/** Server process according to its data folder. */
function serverOf(dataDir: string): { pid: number; dataFolder: string } {
  const dataFolder = join(serverFolder(dataDir), 'pg18');
  return { pid: Number(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0]), dataFolder };
}

/** Starts the database in a child process, then kills it once ready. */
async function startAndEnd(dataDir: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  folders.push(dataDir);
  const module = fileURLToPath(new URL('./embedded.ts', import.meta.url));
  const program = `
    const { openEmbedded } = await import(${JSON.stringify(module)});
    const { url } = await openEmbedded({ dataDir: ${JSON.stringify(dataDir)} });
    process.on('SIGTERM', () => process.exit());
    console.log(url);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  await expect.poll(() => said.includes('\n') || child.exitCode !== null).toBe(true);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill(signal);
  await ended;
  expect(said).toContain('postgresql://');
}

describe('the embedded database', { tags: ['long'] }, () => {
  // One test for the whole lifecycle, because creating a cluster is slow.
  const usual = () => join(base, "Zoë's data");

  it('keeps data across restarts and leaves no process behind', async () => {
    const first = await start(usual());
    expect(
      await ask(
        first.url,
        `select current_database() as name, current_setting('listen_addresses') as network,
      current_setting('TimeZone') as zone, current_setting('fsync') as fsync`,
      ),
    ).toEqual({
      name: 'italk',
      network: '',
      zone: 'UTC',
      fsync: 'on',
    });
    await ask(first.url, 'create table kept as select 7 as number');
    const { pid, dataFolder } = serverOf(usual());
    await Promise.all([first.stop(), first.stop()]);
    expect(startOf(pid)).toBeUndefined();
    expect(existsSync(first.socketDir)).toBe(false);
    expect(existsSync(join(dataFolder, '../program.lock'))).toBe(false);

    const second = await start(usual());
    expect(second.adopted).toBe(false);
    expect(await ask(second.url, 'select number from kept')).toEqual({ number: 7 });
  });

  it('adopts a killed program’s server, and gives a second program the DATABASE_URL', async () => {
    await startAndEnd(usual(), 'SIGKILL');
    const { pid, dataFolder } = serverOf(usual());
    expect(servesFolder(pid, dataFolder)).toBe(true);

    const adopted = await start(usual());
    expect(adopted.adopted).toBe(true);
    expect(serverOf(usual()).pid).toBe(pid);
    const refusal = await openEmbedded({ dataDir: usual() }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartError);
    expect((refusal as Error).message).toContain(`DATABASE_URL='${adopted.url}'`);
    expect(adopted.url).not.toContain("'");
    await expect(deleteEmbedded(usual())).rejects.toThrow('Stop it first');
    expect(await ask(adopted.url, 'select 1 as one')).toEqual({ one: 1 });

    await adopted.stop();
    await expect.poll(() => startOf(pid)).toBeUndefined();
  });

  it('stops with a program that exits without stopping it', async () => {
    await startAndEnd(usual(), 'SIGTERM');
    const folder = join(serverFolder(usual()), 'pg18');
    await expect.poll(() => existsSync(join(folder, 'postmaster.pid'))).toBe(false);
    expect(existsSync(join(folder, '../program.lock'))).toBe(false);
  });

  it('restarts at the same address when its server is killed, keeping the folder locked', async () => {
    const database = await start(usual());
    await ask(database.url, 'create table survives as select 9 as number');
    const first = serverOf(usual());
    process.kill(first.pid, 'SIGKILL');
    await expect
      .poll(() => ask(database.url, 'select number from survives').catch(() => null))
      .toEqual({ number: 9 });
    const second = serverOf(usual());
    expect(second.pid).not.toBe(first.pid);
    const refusal = await openEmbedded({ dataDir: usual() }).catch((error: unknown) => error);
    expect((refusal as Error).message).toContain(`DATABASE_URL='${database.url}'`);

    // Restarts after an external stop.
    process.kill(second.pid, 'SIGINT');
    await expect
      .poll(() => startOf(second.pid) === undefined && ask(database.url, 'select 1 as one').catch(() => null))
      .toEqual({ one: 1 });
    await database.stop();
    expect(existsSync(join(second.dataFolder, 'postmaster.pid'))).toBe(false);
  });

  it('retries until it can start, and stops while waiting', async () => {
    const database = await start(usual());
    const { pid, dataFolder } = serverOf(usual());
    const settings = join(dataFolder, 'postgresql.conf');
    const whole = readFileSync(settings);
    writeFileSync(settings, 'no such thing');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => startOf(pid)).toBeUndefined();
    const log = join(dataFolder, '../pg.log');
    await expect.poll(() => readFileSync(log, 'utf8')).toContain('contains errors');
    await expect(ask(database.url, 'select 1 as one')).rejects.toBeInstanceOf(Error);
    writeFileSync(settings, whole);
    await expect.poll(() => ask(database.url, 'select 1 as one').catch(() => null)).toEqual({ one: 1 });

    writeFileSync(settings, 'no such thing');
    process.kill(serverOf(usual()).pid, 'SIGKILL');
    await database.stop();
    writeFileSync(settings, whole);
    expect(existsSync(join(dataFolder, '../program.lock'))).toBe(false);
  });

  it('recovers after a machine crash, even if its process ids were reused', async () => {
    const first = await start(usual());
    const { pid, dataFolder } = serverOf(usual());
    const left = readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8');
    await first.stop();
    const other = process.ppid;
    writeFileSync(join(dataFolder, 'postmaster.pid'), left.replace(String(pid), String(other)));
    writeFileSync(
      join(dataFolder, '../program.lock'),
      JSON.stringify({ pid: other, start: 'some time ago' }),
    );

    const second = await start(usual());
    expect(second.adopted).toBe(false);
    expect(await ask(second.url, 'select 1 as one')).toEqual({ one: 1 });
  });

  it('runs in a private folder with a deep path, which a reset fully removes', async () => {
    const dataDir = join(base, 'private', 'a-long-name-'.repeat(8), 'data');
    mkdirSync(join(base, 'private'), { mode: 0o700 });
    const database = await start(dataDir);
    expect(Buffer.byteLength(join(database.socketDir, '.s.PGSQL.5432'))).toBeLessThan(107);
    expect(await ask(database.url, 'select 1 as one')).toEqual({ one: 1 });
    const { dataFolder } = serverOf(dataDir);
    expect(dataFolder.startsWith(base)).toBe(process.getuid?.() !== 0);

    await database.stop();
    expect(await deleteEmbedded(dataDir)).toEqual([]);
    expect(existsSync(dataDir)).toBe(false);
    expect(existsSync(join(dataFolder, '..'))).toBe(false);
  });

  it('is stopped and deleted by a reset after a kill, sparing foreign files', async () => {
    const dataDir = join(base, 'shared');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o711);
    writeFileSync(join(dataDir, 'letter.txt'), 'not ours');
    await startAndEnd(dataDir, 'SIGKILL');
    const { pid, dataFolder } = serverOf(dataDir);

    expect(await deleteEmbedded(dataDir)).toEqual(['letter.txt']);
    expect(startOf(pid)).toBeUndefined();
    expect(existsSync(dataFolder)).toBe(false);
  });

  it('rejects another major version, and a file in place of a folder, in one sentence each', async () => {
    const newer = join(base, 'newer');
    mkdirSync(join(newer, 'pg19'), { recursive: true });
    await expect(openEmbedded({ dataDir: newer })).rejects.toThrow(
      /PostgreSQL 19, and this program uses 18\. .*backup/,
    );
    const file = join(base, 'file');
    writeFileSync(file, '');
    await expect(openEmbedded({ dataDir: join(file, 'data') })).rejects.toThrow('isn’t a folder');
    await expect(openEmbedded({ dataDir: file })).rejects.toThrow(StartError);
  });
});
