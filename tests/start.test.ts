import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createDemoAccount, requireNoDemoPassword } from '#/features/accounts/demo.ts';
import { setPassword } from '#/features/accounts/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { hashPassword } from '#/platform/password-hash.ts';
import { endOf, plainEnvironment, runProgram } from './support/clean-machine.ts';
import { testDatabase } from './support/database.ts';
import { productionEnvironment } from './support/production.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('reports a taken port in one sentence, and opens no database', { tags: ['long'] }, async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'italk-start-'));
  try {
    const { code, said } = await runProgram([process.execPath, 'src/main.ts'], {
      cwd: root,
      env: plainEnvironment({ PORT: String(port), DATA_DIR }),
    });
    expect(code).toBe(1);
    expect(said.trim()).toBe(
      `Port ${port} is in use by another program. Stop that program, or set PORT to another port.`,
    );
  } finally {
    taken.close();
    await rm(DATA_DIR, { recursive: true, force: true });
  }
});

test('refuses to start in production if an account has the demo password', { tags: ['long'] }, async () => {
  const { db, as, url } = await testDatabase();
  const system = as({ kind: 'system' });
  const account = { name: 'Ruth Amsel', role: 'client', timeZone: null } as const;
  const [first, second] = [
    await createDemoAccount(system, { ...account, email: 'first@italk.example' }),
    await createDemoAccount(system, { ...account, email: 'second@italk.example' }),
  ];
  const start = () =>
    runProgram([process.execPath, 'src/main.ts'], {
      cwd: root,
      env: plainEnvironment(productionEnvironment({ DATABASE_URL: url, PORT: '0', DATA_DIR: undefined })),
    });
  const refusal =
    'This database has demo accounts, and anyone can sign in to them with the published password. Set DATABASE_URL to a database without demo data.';
  expect(await start()).toMatchObject({ code: 1, said: `${refusal}\n` });

  // Changing the addresses doesn't change the demo password.
  await db
    .updateTable('users')
    .set(({ fn, val }) => ({ email: fn('replace', ['email', val('italk.example'), val('church.test')]) }))
    .execute();
  await expect(requireNoDemoPassword({ db })).rejects.toThrow(refusal);
  const { hash: own } = await hashPassword('a-quiet-room-42');
  await transact(system, (tx) => setPassword(tx, first, own));
  await db.updateTable('users').set({ email: 'ruth@italk.example' }).where('id', '=', second).execute();
  await expect(requireNoDemoPassword({ db })).rejects.toThrow(refusal);
  await transact(system, (tx) => setPassword(tx, second, own));
  await requireNoDemoPassword({ db });
});

test(
  'refuses to start in production without a job queue that migrating creates',
  { tags: ['long'] },
  async () => {
    const { db, url } = await testDatabase();
    await sql`delete from jobs.queue where name = 'feed.address_given_back'`.execute(db);
    const start = await runProgram([process.execPath, 'src/main.ts'], {
      cwd: root,
      env: plainEnvironment(productionEnvironment({ DATABASE_URL: url, PORT: '0', DATA_DIR: undefined })),
    });
    expect(start).toMatchObject({
      code: 1,
      said: 'The database has no job queues for this version. Run: npm run migrate\n',
    });
  },
);

test(
  'exits quietly when stopped during database startup, and leaves no database running',
  { tags: ['long'] },
  async () => {
    const DATA_DIR = await mkdtemp(join(tmpdir(), 'italk-start-'));
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: root,
      env: plainEnvironment({ ITALK_MODE: 'demo', PORT: '0', DATA_DIR }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // If this account can't run PostgreSQL, the data is in another folder.
    const folder = async () => (await read(join(DATA_DIR, 'database-folder'))) ?? DATA_DIR;
    const running = async () => read(join(await folder(), 'pg18', 'postmaster.pid'));
    try {
      const ended = endOf(child);
      await expect.poll(running, { timeout: 60_000, interval: 20 }).not.toBeNull();
      child.kill('SIGTERM');
      const { code, said } = await ended;
      expect(code).toBe(0);
      expect(said).not.toMatch(/error/i);
      expect(await running()).toBeNull();
    } finally {
      child.kill('SIGKILL');
      for (const one of [await folder(), DATA_DIR]) await rm(one, { recursive: true, force: true });
    }
  },
);

async function read(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text?.trim() ?? null;
}
