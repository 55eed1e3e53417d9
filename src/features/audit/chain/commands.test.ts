import { randomBytes } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { openKeyring } from '#/platform/keyring.ts';
import type { Log } from '#/platform/log.ts';
import { transact } from '#/platform/db/transact.ts';
import { digestBytes } from '#/platform/tokens.ts';
import { rowsUnder } from '../../../../tests/support/documents.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient } from '../../../../tests/support/people.ts';
import type { Action } from '../actions/rules.ts';
import { recordDone } from '../commands.ts';
import { auditPersonal } from '../personal.ts';
import { checkChain, createHeadWriter, noteHeadsRestored, sealEntries } from './commands.ts';
import { headFiles, savedHeads, lastCheck, verifyChain } from './queries.ts';

const { db, as, setNow, dataDir } = await testDatabase();
const person = await addClient(db);
const ctx = as(person);
const sealer = as({ kind: 'job', name: 'audit' });

async function write(count: number, action: Action = 'user_viewed'): Promise<string[]> {
  const before = new Set(await idsNow());
  for (let one = 0; one < count; one++)
    await transact(ctx, (tx) => recordDone(tx, { action, details: { round: one } }));
  return (await idsNow()).filter((id) => !before.has(id));
}

const idsNow = async () =>
  (await db.selectFrom('audit_entries').select('id').orderBy('id').execute()).map(({ id }) => id);
const sealsNow = () => db.selectFrom('audit_seals').selectAll().orderBy('seq').execute();
const verify = (head: string | null = null) => verifyChain(sealer, head === null ? [] : [head]);

/** Runs a statement with the protective triggers disabled. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const table of ['audit_entries', 'audit_seals', 'audit_personal'])
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
    await statement.execute(tx);
    for (const table of ['audit_entries', 'audit_seals', 'audit_personal'])
      await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
  });
}

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await tamper(
    sql`truncate audit_entries, audit_seals, audit_personal, audit_unsealed, audit_days, audit_actors, audit_kinds, audit_checks, audit_erased`,
  );
});

test('keeps its heads where the guide’s inventory of logs says', () => {
  const [, , where] = rowsUnder('docs/operating.md', 'Logs').find(([what]) => what === 'audit heads')!;
  expect(where).toBe(`\`${basename(headFiles('backups').heads)}\` in \`BACKUP_DIR\``);
});

test('logs each sealed entry once, in order and with its hash, without names or details', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = { info: (line: object) => void lines.push({ ...line }) } as Pick<Log, 'info'>;
  const ids = await write(5);
  await Promise.all([sealEntries(sealer, log), sealEntries(sealer, log)]);
  await sealEntries(sealer, log);
  const seals = await sealsNow();
  expect(lines).toEqual(
    seals.map(({ seq, entry_id, hash }) => ({
      seq,
      hash: hash.toString('hex'),
      id: entry_id,
      at: '2026-03-02T12:00:00.000000Z',
      action: 'user_viewed',
      success: true,
    })),
  );
  expect(lines.map(({ id }) => id)).toEqual(ids);
});

test('protects entries and seals from updates, deletes and truncation', async () => {
  await write(1);
  await sealEntries(sealer);
  for (const attempt of [
    sql`update audit_entries set action = 'slept'`,
    sql`delete from audit_entries`,
    sql`truncate audit_entries cascade`,
    sql`update audit_seals set anchor = null`,
    sql`delete from audit_seals`,
    sql`truncate audit_seals`,
  ])
    await expect(attempt.execute(db)).rejects.toThrow('append-only');
});

test('keeps an empty log valid, and seals waiting entries in order into a valid chain', async () => {
  expect(await verify()).toEqual({ entries: 0, waiting: 0, head: null, broken: null });
  const ids = await write(3);
  expect(await verify()).toMatchObject({ entries: 0, waiting: 3, head: null, broken: null });
  await sealEntries(sealer);
  const seals = await sealsNow();
  expect(seals.map(({ seq, entry_id }) => [seq, entry_id])).toEqual(ids.map((id, index) => [index + 1, id]));
  expect(await verify()).toEqual({
    entries: 3,
    waiting: 0,
    head: seals[2]!.hash.toString('hex'),
    broken: null,
  });
  await sealEntries(sealer);
  expect(await sealsNow()).toEqual(seals);
});

test(
  'seals and verifies more entries than one transaction and one batch hold',
  { tags: ['long'] },
  async () => {
    await sql`
    insert into audit_entries (id, at, actor_kind, action, category, request_id, success)
    select gen_random_uuid(), '2026-01-01'::timestamptz + n * interval '1 second', 'system', 'user_viewed', 'security', 'many', true
      from generate_series(1, 5100) n`.execute(db);
    await sealEntries(sealer);
    expect(await verify()).toMatchObject({ entries: 5_100, waiting: 0, broken: null });
  },
);

test('makes one chain with concurrent sealers', async () => {
  for (let round = 0; round < 3; round++) {
    await sql`
      insert into audit_entries (id, at, actor_kind, action, category, request_id, success)
      select gen_random_uuid(), now(), 'system', 'user_viewed', 'security', 'many', true
        from generate_series(1, 700)`.execute(db);
    await Promise.all(Array.from({ length: 4 }, () => sealEntries(sealer)));
    await sealEntries(sealer);
  }
  expect(await verify()).toMatchObject({ entries: 2_100, waiting: 0, broken: null });
});

test('appends a late-committed entry with an earlier time', async () => {
  const committed = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  setNow('2026-03-02T11:00:00Z');
  const late = transact(ctx, async (tx) => {
    await recordDone(tx, { action: 'signed_in' });
    written.resolve();
    await committed.promise;
  });
  await written.promise;
  setNow('2026-03-02T12:00:00Z');
  await write(2);
  await sealEntries(sealer);
  const before = await sealsNow();
  expect(before).toHaveLength(2);
  committed.resolve();
  await late;
  await sealEntries(sealer);
  expect((await sealsNow()).slice(0, 2)).toEqual(before);
  expect(await verify()).toMatchObject({ entries: 3, waiting: 0, broken: null });
});

test('names an address that was changed, removed or added', async () => {
  const ids = await write(3);
  await sealEntries(sealer);
  const named = { seq: 2, entryId: ids[1] };
  const at = sql`where entry_id = ${ids[1]}`;
  await tamper(sql`update audit_personal set address = '203.0.113.9' ${at}`);
  expect((await verify()).broken).toEqual({ kind: 'address_changed', ...named });
  await tamper(sql`update audit_personal set address = '127.0.0.1', salt = null ${at}`);
  expect((await verify()).broken).toEqual({ kind: 'address_changed', ...named });
  await tamper(sql`delete from audit_personal ${at}`);
  expect((await verify()).broken).toEqual({ kind: 'address_removed', ...named });
  const job = as({ kind: 'job', name: 'audit' });
  await tamper(sql`delete from audit_seals`);
  await tamper(sql`delete from audit_personal`);
  await tamper(sql`delete from audit_entries`);
  await transact(job, (tx) => recordDone(tx, { action: 'user_viewed' }));
  await sealEntries(sealer);
  const [entryId] = await idsNow();
  await sql`insert into audit_personal (entry_id, address) values (${entryId}, '203.0.113.9')`.execute(db);
  expect((await verify()).broken).toEqual({ kind: 'address_added', seq: 1, entryId });
  await expect(sql`update audit_personal set address = '::1'`.execute(db)).rejects.toThrow('append-only');
});

test('names an address rewritten together with its salt and hash', async () => {
  const ids = await write(3);
  await sealEntries(sealer);
  const salt = Buffer.alloc(16, 1);
  const mark = digestBytes(salt, '203.0.113.9');
  await tamper(
    sql`update audit_personal set address = '203.0.113.9', salt = ${salt} where entry_id = ${ids[1]}`,
  );
  await tamper(sql`update audit_entries set address_mark = ${mark} where id = ${ids[1]}`);
  expect((await verify()).broken).toEqual({ kind: 'entry_changed', seq: 2, entryId: ids[1] });
});

test('keeps first-format entries and seals with unsealed addresses valid', async () => {
  await sql`
    insert into audit_entries (id, at, actor_kind, actor_id, action, category, request_id, success)
    select gen_random_uuid(), now(), 'person', ${person.id}, 'user_viewed', 'security', 'old', true
      from generate_series(1, 3)`.execute(db);
  await sql`insert into audit_personal (entry_id, address) select id, '::1' from audit_entries`.execute(db);
  await sealEntries(sealer);
  await write(2);
  await sealEntries(sealer);
  expect((await sealsNow()).map(({ version }) => version)).toEqual([1, 1, 1, 2, 2]);
  expect(await verify()).toMatchObject({ entries: 5, broken: null });
  await tamper(sql`update audit_seals set version = 1`);
  expect((await verify()).broken).toMatchObject({ kind: 'entry_changed', seq: 4 });
});

test('removes an erased account’s addresses, and keeps the chain valid', async () => {
  await write(3);
  await sealEntries(sealer);
  const places = () => db.selectFrom('audit_personal').selectAll().execute();
  expect(await places()).toHaveLength(3);
  await transact(sealer, async (tx) => {
    await auditPersonal.erase(tx, person.id);
    const subject = { kind: 'person', id: person.id };
    await recordDone(tx, { action: 'account_erased', subject });
  });
  expect(await places()).toEqual([]);
  await sealEntries(sealer);
  expect(await verify()).toMatchObject({ entries: 4, broken: null });
  await transact(sealer, (tx) => auditPersonal.erase(tx, person.id));
});

test('reports missing addresses of accounts not logged as erased', async () => {
  const [entryId] = await write(1);
  await sealEntries(sealer);
  // The program's own database account has these permissions.
  await sql`insert into audit_erased (person_id) values (${person.id})`.execute(db);
  await sql`delete from audit_personal where entry_id = ${entryId}`.execute(db);
  expect((await verify()).broken).toEqual({ kind: 'address_removed', seq: 1, entryId });
});

test('matches its counts with the sealed entries', async () => {
  await write(2, 'user_viewed');
  setNow('2026-03-03T00:30:00Z');
  await write(1, 'user_viewed');
  await sealEntries(sealer);
  await write(1, 'user_edited');
  await sealEntries(sealer);
  const of = { category: 'user_management', success: true };
  expect(await db.selectFrom('audit_days').selectAll().orderBy('day').execute()).toEqual([
    { ...of, day: '2026-03-02', entries: 2 },
    { ...of, day: '2026-03-03', entries: 2 },
  ]);
  expect(await db.selectFrom('audit_actors').selectAll().execute()).toEqual([
    {
      actor_id: person.id,
      first_at: new Date('2026-03-02T12:00:00Z'),
      last_at: new Date('2026-03-03T00:30:00Z'),
    },
  ]);
  const kinds = await db.selectFrom('audit_kinds').select(['action', 'kind']).orderBy('action').execute();
  expect(kinds).toEqual([
    { action: 'user_edited', kind: 'person  user_edited  {"round": }' },
    { action: 'user_viewed', kind: 'person  user_viewed  {"round": }' },
  ]);
});

test.each([
  ['action', sql`'slept'`],
  ['success', sql`false`],
  ['actor_id', sql`null`],
  ['actor_kind', sql`'system'`],
  ['actor_name', sql`'somebody'`],
  ['category', sql`'security'`],
  ['subject_kind', sql`'person'`],
  ['subject_id', sql`gen_random_uuid()`],
  ['details', sql`'{"round": 7}'`],
  ['request_id', sql`'another'`],
  ['address_mark', sql`sha256('another')`],
  ['at', sql`at + interval '1 microsecond'`],
] as const)('names an entry whose %s was changed', async (column, value) => {
  const ids = await write(4);
  await sealEntries(sealer);
  await tamper(sql`update audit_entries set ${sql.ref(column)} = ${value} where id = ${ids[1]}`);
  expect((await verify()).broken).toEqual({ kind: 'entry_changed', seq: 2, entryId: ids[1] });
});

test('names a removed entry, with or without its seal', async () => {
  const ids = await write(4);
  await sealEntries(sealer);
  await tamper(sql`delete from audit_personal where entry_id = ${ids[2]}`);
  await tamper(sql`delete from audit_entries where id = ${ids[2]}`);
  expect((await verify()).broken).toEqual({ kind: 'entry_removed', seq: 3, entryId: ids[2] });
  await tamper(sql`delete from audit_seals where entry_id = ${ids[2]}`);
  expect((await verify()).broken).toEqual({ kind: 'seal_removed', seq: 3 });
  await tamper(sql`update audit_seals set seq = 3 where seq = 4`);
  expect((await verify()).broken).toEqual({ kind: 'seal_changed', seq: 3 });
});

test('names swapped entries', async () => {
  const ids = await write(4);
  await sealEntries(sealer);
  await tamper(sql`
    update audit_seals set entry_id = gen_random_uuid() where seq = 2`);
  await tamper(sql`update audit_seals set entry_id = ${ids[1]} where seq = 3`);
  await tamper(sql`update audit_seals set entry_id = ${ids[2]} where seq = 2`);
  expect((await verify()).broken).toEqual({ kind: 'entry_moved', seq: 2, entryId: ids[2] });
  await tamper(sql`
    update audit_seals s set digest = other.digest from audit_seals other
     where (s.seq, other.seq) in ((2, 3), (3, 2))`);
  expect((await verify()).broken).toEqual({ kind: 'seal_changed', seq: 2 });
});

test('names an entry inserted outside the chain, or removed before sealing', async () => {
  await write(2);
  await sealEntries(sealer);
  const id = newId();
  await tamper(sql`
    insert into audit_entries (id, at, actor_kind, action, category, request_id, success)
    values (${id}, '2026-03-01', 'system', 'nothing', 'security', 'none', true)`);
  expect((await verify()).broken).toEqual({ kind: 'entry_inserted', entryId: id });
  await tamper(sql`delete from audit_entries where id = ${id}`);
  expect((await verify()).broken).toBeNull();
  const [waiting] = await write(1);
  await tamper(sql`delete from audit_personal where entry_id = ${waiting}`);
  await tamper(sql`delete from audit_entries where id = ${waiting}`);
  expect((await verify()).broken).toEqual({ kind: 'waiting_removed', entryId: waiting });
});

test('allows retired keys: the last anchor uses a current one', async () => {
  await write(2);
  await sealEntries(sealer);
  const rotated = { ...sealer, keyring: openKeyring(`rotated:${randomBytes(32).toString('base64url')}`) };
  expect((await verifyChain(rotated)).broken).toMatchObject({ kind: 'anchor_wrong' });
  await write(1);
  await sealEntries(rotated);
  expect((await verifyChain(rotated)).broken).toBeNull();
});

test('rejects a chain rewritten entirely without the key', async () => {
  await write(3);
  await sealEntries(sealer);
  await write(2);
  await sealEntries(sealer);
  const { head } = await verify();
  const other = { ...sealer, keyring: openKeyring(`test:${randomBytes(32).toString('base64url')}`) };
  await tamper(sql`truncate audit_seals`);
  await tamper(sql`update audit_entries set action = 'slept'`);
  await tamper(sql`insert into audit_unsealed select at, id from audit_entries`);
  await sealEntries(other);
  expect((await verifyChain(other)).broken).toBeNull();
  expect((await verify()).broken).toEqual({ kind: 'anchor_wrong', seq: 5 });
  await tamper(sql`update audit_seals set anchor = null`);
  expect((await verify()).broken).toEqual({ kind: 'anchor_missing', seq: 5 });
  expect((await verifyChain(other, [head!])).broken).toEqual({ kind: 'anchor_missing', seq: 5 });
});

test('detects a truncated chain by its missing anchor and the saved head', async () => {
  await write(2);
  await sealEntries(sealer);
  await write(3);
  await sealEntries(sealer);
  const { head } = await verify();
  expect((await verify(head)).broken).toBeNull();
  const cutTo = async (seq: number) => {
    await tamper(sql`delete from audit_personal where entry_id in (
      select entry_id from audit_seals where seq > ${seq})`);
    await tamper(sql`delete from audit_entries where id in (
      select entry_id from audit_seals where seq > ${seq})`);
    await tamper(sql`delete from audit_seals where seq > ${seq}`);
  };
  await cutTo(3);
  expect((await verify()).broken).toEqual({ kind: 'anchor_missing', seq: 3 });
  await cutTo(2);
  // Truncation to an earlier state is detectable only with a saved head.
  expect((await verify()).broken).toBeNull();
  expect((await verify(head)).broken).toEqual({ kind: 'head_gone', hash: head });
});

/** Deletes every seal and entry from `seq` on, like a database superuser could. */
async function cutFrom(seq: number): Promise<void> {
  const gone = sql`in (select entry_id from audit_seals where seq >= ${seq})`;
  await tamper(sql`delete from audit_personal where entry_id ${gone}`);
  await tamper(sql`delete from audit_entries where id ${gone}`);
  await tamper(sql`delete from audit_seals where seq >= ${seq}`);
}

test('detects truncation at an anchor by the heads saved in a file', async () => {
  const folder = join(dataDir, 'heads-cut');
  const keepHead = createHeadWriter(folder);
  await keepHead(sealer);
  expect(await savedHeads(folder)).toEqual(new Set());
  for (let round = 0; round < 3; round++) {
    await write(2);
    await sealEntries(sealer);
    await keepHead(sealer);
    await keepHead(sealer);
  }
  const { head } = await verify();
  const lines = (await readFile(headFiles(folder).heads, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['2', '4', '6']);
  // Simulates a write cut short by a full disk.
  await appendFile(headFiles(folder).heads, '8 abcd');
  expect((await verifyChain(sealer, await savedHeads(folder))).broken).toBeNull();
  await checkChain(sealer, folder);
  expect(await lastCheck(sealer)).toEqual({ at: new Date('2026-03-02T12:00:00Z'), entries: 6, broken: null });

  await cutFrom(5);
  expect((await verify()).broken).toBeNull();
  const broken = { kind: 'head_gone', hash: head };
  expect((await verifyChain(sealer, await savedHeads(folder))).broken).toEqual(broken);
  // Checks daily; entries written meanwhile don't hide the break.
  await checkChain(sealer, folder);
  expect((await lastCheck(sealer))!.broken).toBeNull();
  setNow('2026-03-03T12:00:01Z');
  await write(2);
  await sealEntries(sealer);
  await keepHead(sealer);
  await checkChain(sealer, folder);
  expect((await lastCheck(sealer))!.broken).toEqual(broken);
});

test('counts only heads saved after a restore', async () => {
  const folder = join(dataDir, 'heads-restored');
  const keepHead = createHeadWriter(folder);
  await write(2);
  await sealEntries(sealer);
  await write(1);
  await sealEntries(sealer);
  await keepHead(sealer);
  await cutFrom(3);
  const inBackup = { hash: 'ab'.repeat(32), at: sealer.now() };
  expect((await savedHeads(folder, [inBackup])).size).toBe(2);
  await noteHeadsRestored(folder, sealer.now());
  expect(await savedHeads(folder, [inBackup])).toEqual(new Set());
  setNow('2026-03-02T12:00:05Z');
  await write(1);
  await sealEntries(sealer);
  await keepHead(sealer);
  expect((await savedHeads(folder)).size).toBe(1);
  expect((await verifyChain(sealer, await savedHeads(folder))).broken).toBeNull();
});
