import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/database.ts';
import { replicatedDatabase } from '../../../tests/support/standby.ts';
import type { Ctx } from '../context.ts';
import { openLog } from '../log.ts';
import { connect } from './database.ts';
import { transact } from './transact.ts';
import { onReplica, openReplica } from './replica.ts';

const log = openLog('silent');

/** Names the server that a read ran on. */
const where = onReplica(async ({ db }: Ctx, text: string) => {
  const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(db);
  return `${text} from the ${rows[0]!.standby ? 'replica' : 'primary'}`;
});

test('a replica takes reads only while it keeps up', { tags: ['long'] }, async () => {
  const servers = await replicatedDatabase('replica');
  const primary = connect(servers.primaryUrl, 2).db;
  const standby = connect(servers.replicaUrl, 2, { answerWithinMs: 1_000 }).db;
  try {
    let now = 0;
    const replica = openReplica(primary, standby, log, () => now);
    const ctx = { db: primary, replica } as unknown as Ctx;
    const write = () => sql`create table if not exists notes (id int)`.execute(primary);
    /** Reads at every half second, and returns the last answer. */
    const after = async (ms: number) => {
      for (const end = now + ms; now < end; now += 500) await where(ctx, 'read');
      return where(ctx, 'read');
    };

    /** The clock stands still while it replays. */
    const keepsUp = async () => {
      await expect.poll(() => after(500), { timeout: 20_000, interval: 20 }).toBe('read from the replica');
    };

    await write();
    await keepsUp();
    await servers.onReplica('select pg_wal_replay_pause()');
    await write();
    await sql`insert into notes values (1)`.execute(primary);
    expect(await after(3_000), 'while it stands still').toBe('read from the primary');
    await servers.onReplica('select pg_wal_replay_resume()');
    await keepsUp();

    const written = onReplica(({ db }: Ctx) => sql`insert into notes values (2)`.execute(db));
    await written(ctx);
    expect(await where(ctx, 'read'), 'after it refused a write').toBe('read from the primary');
    await after(5_000);
    await keepsUp();
    expect(await transact(ctx, (tx) => where(tx, 'read')), 'in a transaction').toBe('read from the primary');

    await servers.stopReplica();
    expect(await where(ctx, 'read'), 'at once after it stopped').toBe('read from the primary');
    expect(await after(6_000)).toBe('read from the primary');
  } finally {
    await Promise.all([primary.destroy(), standby.destroy()]);
    await servers.stop();
  }
});

test('a server that isn’t its replica takes no reads, and neither does one that is down', async () => {
  const { db, url } = await testDatabase();
  const down = connect(url.replace(/host=[^&]*/, 'host=%2Fnowhere'), 1).db;
  for (const other of [db, down]) {
    const ctx = { db, replica: openReplica(db, other, log) } as unknown as Ctx;
    expect(await ctx.replica!.current()).toBeNull();
    expect(await where(ctx, 'read')).toBe('read from the primary');
  }
  await down.destroy();
});

test('a table that the replica doesn’t have yet is read from the primary; other errors are the reader’s', async () => {
  const [{ db }, behind] = await Promise.all([testDatabase(), testDatabase()]);
  const failed: unknown[] = [];
  const replica = {
    current: () => Promise.resolve(behind.db),
    failed: (error: unknown) => void failed.push(error),
  };
  const ctx = { db, replica } as unknown as Ctx;
  await sql`create table notes as select 1 as id`.execute(db);
  const notes = onReplica((one: Ctx) => sql`select id from notes`.execute(one.db));
  expect((await notes(ctx)).rows).toEqual([{ id: 1 }]);
  expect(failed).toHaveLength(1);
  const wrong = onReplica((one: Ctx) => sql`select 1 / 0`.execute(one.db));
  await expect(wrong(ctx)).rejects.toThrow('division by zero');
  expect(failed).toHaveLength(1);
});
