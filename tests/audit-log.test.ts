import { expect, test } from 'vitest';
import { recorded } from '#/app/recorded.ts';
import { requireActing } from '#/features/accounts/policies.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from './support/database.ts';
import { addClient, type Person } from './support/people.ts';
import { refusalOf } from './support/refusal.ts';
import { sealEntries } from '#/features/audit/chain/commands.ts';
import { recordDone, recordRefused, type AuditedAction } from '#/features/audit/commands.ts';
import { exportLog, exportPath, readLog } from '#/features/audit/log/commands.ts';
import type { LogFilter } from '#/features/audit/contract.ts';
import { logFigures } from '#/features/audit/totals/queries.ts';

const { db, as, setNow } = await testDatabase();
const admin = { ...(await addClient(db)), role: 'super_admin' } as const;
const [naomi, ruth] = [await addClient(db), await addClient(db)];
const sealer = as({ kind: 'job', name: 'audit' });
await name(naomi, 'Naomi Weiss');
await name(ruth, 'Ruth =Amsel');

async function name(person: Person, full_name: string): Promise<void> {
  await db.updateTable('users').set({ name: full_name }).where('id', '=', person.id).execute();
  await db.updateTable('profiles').set({ full_name }).where('id', '=', person.id).execute();
}

const bookingId = newId();
/** Recorded events, oldest first. */
const story: readonly [at: string, who: Person | null, act: AuditedAction, refused?: boolean][] = [
  ['2026-01-30T23:59:59.999Z', naomi, { action: 'signed_in' }],
  ['2026-02-01T00:00:00Z', ruth, { action: 'signed_in' }],
  [
    '2026-02-01T10:00:00Z',
    naomi,
    {
      action: 'booking.booked',
      subject: { kind: 'booking', id: bookingId },
      details: { by: 'client', sessions: 4 },
    },
  ],
  [
    '2026-02-03T10:00:00Z',
    null,
    {
      action: 'signed_in',
      subject: { kind: 'person', id: naomi.id },
      details: { reason: 'wrong_password' },
    },
    true,
  ],
  ['2026-02-03T11:00:00Z', ruth, { action: 'settings.changed' }],
];
for (const [at, who, act, refused] of story) {
  setNow(at);
  const ctx = as(who ?? { kind: 'guest' });
  if (refused) await recordRefused(ctx, act);
  else await transact(ctx, (tx) => recordDone(tx, act));
}
await sealEntries(sealer);
setNow('2026-02-10T12:00:00Z');
// Excludes entries created by reading the log itself.
const readers = as(admin);
const read = (input: Partial<Parameters<typeof readLog>[2]> = {}) =>
  readLog(readers, recorded, { search: '', limit: 25, to: '2026-02-09T00:00:00Z', ...input });
/** Positions in `story` of the entries found. */
const found = async (input: Parameters<typeof read>[0]) =>
  (await read(input)).entries.map(({ at }) =>
    story.findIndex(([told]) => Date.parse(told) === Date.parse(at)),
  );

test('lists newest first, with actor, action, subject and origin', async () => {
  const { entries, more, manyPeople } = await read();
  expect([more, manyPeople]).toEqual([false, false]);
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(entries).toHaveLength(5);
  expect(entries[1]).toMatchObject({
    actor: { kind: 'guest', id: null, name: null, email: null },
    action: 'signed_in',
    subject: { kind: 'person', id: naomi.id, name: 'Naomi Weiss' },
    details: { reason: 'wrong_password' },
    address: '127.0.0.1',
    success: false,
  });
  expect(entries[2]).toMatchObject({
    actor: { kind: 'person', id: naomi.id, name: 'Naomi Weiss', email: `${naomi.id}@people.example` },
    subject: { kind: 'booking', id: bookingId, name: null },
    success: true,
  });
});

test.each([
  ['naomi w', [3, 2, 0]],
  ['signed in', [3, 1, 0]],
  ['SIGNED_IN', [3, 1, 0]],
  ['wrong password', [3]],
  ['guest', [3]],
  ['booking', [2]],
  ['by: client', [2]],
  [bookingId, [2]],
  [ruth.id, [4, 1]],
  ['100%', []],
  ['_', [3, 1, 0]],
  ['nobody at all', []],
])('finds entries containing “%s”', async (search, places) => {
  expect(await found({ search })).toEqual(places);
});

test('filters by category and days, alone and together', async () => {
  expect(await found({ category: 'security' })).toEqual([3, 1, 0]);
  expect(await found({ category: 'provider_approval' })).toEqual([]);
  expect(await found({ category: 'security', search: 'ruth' })).toEqual([1]);
  expect(await found({ from: '2026-02-01T00:00:00Z' })).toEqual([4, 3, 2, 1]);
  expect(await found({ to: '2026-02-01T00:00:00Z' })).toEqual([0]);
  expect(await found({ from: '2026-02-01T00:00:00Z', to: '2026-02-02T00:00:00Z', search: 'signed' })).toEqual(
    [1],
  );
});

test.each([{}, { search: 'signed' }, { category: 'security' as const }])(
  'pages through every entry once: %o',
  async (filter) => {
    const whole = await read(filter);
    const paged = [];
    for (let beyond = {}; ;) {
      const { entries, more } = await read({ ...filter, ...beyond, limit: 2 });
      paged.push(...entries);
      if (!more) break;
      beyond = { beforeAt: entries.at(-1)!.at, beforeId: entries.at(-1)!.id };
    }
    expect(paged).toEqual(whole.entries);
  },
);

test('lists and counts an entry before it is sealed', async () => {
  setNow('2026-02-05T12:00:00Z');
  const newcomer = await addClient(db);
  await transact(as(newcomer), (tx) => recordDone(tx, { action: 'signed_in' }));
  setNow('2026-02-10T12:00:00Z');
  const span = { from: '2026-02-05T00:00:00Z', to: '2026-02-06T00:00:00Z' };
  expect((await read(span)).entries).toHaveLength(1);
  const before = await logFigures(readers, span);
  expect(before).toMatchObject({ total: 1, activeUsers: 1 });
  await sealEntries(sealer);
  expect(await logFigures(readers, span)).toEqual(before);
});

test.each([
  ['all', {}],
  ['whole days', { from: '2026-01-30T00:00:00Z', to: '2026-02-04T00:00:00Z' }],
  ['days of another zone', { from: '2026-01-31T18:15:00Z', to: '2026-02-03T10:30:00Z' }],
  ['within a day', { from: '2026-02-03T10:00:00Z', to: '2026-02-03T11:00:00Z' }],
  ['over one midnight', { from: '2026-01-31T23:00:00Z', to: '2026-02-01T01:00:00Z' }],
  ['an open end', { from: '2026-02-01T00:00:00Z' }],
  ['an open beginning', { to: '2026-02-01T00:00:00Z' }],
  ['turned', { from: '2026-02-05T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
])('matches counts: %s', async (_, span: { from?: string; to?: string }) => {
  const all = await db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
  const within = all.filter(
    ({ at }) =>
      (!span.from || at.getTime() >= Date.parse(span.from)) &&
      (!span.to || at.getTime() < Date.parse(span.to)),
  );
  const of = (category: string) => within.filter((entry) => entry.category === category).length;
  expect(await logFigures(readers, span)).toEqual({
    total: within.length,
    successful: within.filter(({ success }) => success).length,
    failed: within.filter(({ success }) => !success).length,
    activeUsers: new Set(within.flatMap(({ actor_id }) => actor_id ?? [])).size,
    categories: {
      user_management: of('user_management'),
      provider_approval: of('provider_approval'),
      system_settings: of('system_settings'),
      security: of('security'),
      service_management: of('service_management'),
    },
  });
});

test('logs each read once, and every export', async () => {
  const reader = { ...admin, id: newId(), sessionId: newId() };
  const told = async () =>
    (
      await db
        .selectFrom('audit_entries')
        .select(['action', 'details'])
        .where('actor_id', '=', reader.id)
        .orderBy('id')
        .execute()
    ).map(({ action }) => action);
  for (let page = 0; page < 3; page++) await readLog(as(reader), recorded, { search: '', limit: 25 });
  expect(await told()).toEqual(['audit.log_read']);
  for (const format of ['csv', 'json'] as const)
    await text(await exportLog(as(reader), parts, format, new URLSearchParams()));
  expect(await told()).toEqual(['audit.log_read', 'audit.log_exported', 'audit.log_exported']);
});

const parts = { people: recorded, requireFresh: () => Promise.resolve() };

/** Query string of an export link. */
const queryOf = (filter: Partial<LogFilter>) =>
  new URL(exportPath(readers, { search: '', ...filter, format: 'csv' }), 'http://x').searchParams;

/** Keeps the byte order mark, which `Response.text()` strips. */
const text = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer()).toString();
const until = { to: '2026-02-05T00:00:00Z' };

test('exports the filtered entries in both formats, without formulas', async () => {
  const query = queryOf({ ...until, category: 'security' });
  const json = JSON.parse(await text(await exportLog(readers, parts, 'json', query))) as {
    timestamp: string;
  }[];
  expect(json).toHaveLength(3);
  expect(json[0]).toMatchObject({
    timestamp: '2026-02-03T10:00:00Z',
    user: 'Guest',
    action: 'Signed in',
    category: 'security',
    details: 'Naomi Weiss · Reason: wrong password',
    ipAddress: '127.0.0.1',
    success: false,
  });
  const csv = await text(await exportLog(readers, parts, 'csv', query));
  const lines = csv.split('\r\n');
  expect(lines[0]).toBe('\ufeffTimestamp,User,Action,Category,Details,IP Address,Status,Email,Entry');
  expect(lines).toHaveLength(5);
  expect(lines[2]).toContain('Ruth =Amsel,Signed in,Security,,127.0.0.1,Success');
  await name(ruth, '=1+1');
  expect(await text(await exportLog(readers, parts, 'csv', query))).toContain(",'=1+1,");
});

test('ends an export once its reader is suspended', async () => {
  const reader = { ...(await addClient(db)), role: 'super_admin' } as const;
  const profile = db.updateTable('profiles').where('id', '=', reader.id);
  await profile.set({ role: 'super_admin' }).execute();
  const begin = () => exportLog({ ...as(reader), requireActing }, parts, 'csv', new URLSearchParams());
  expect(await text(await begin())).toContain('Naomi Weiss');
  const stream = await begin();
  await profile.set({ suspended_at: new Date() }).execute();
  await expect(text(stream)).rejects.toMatchObject({ reason: 'sign_in_required' });
});

test('exports a valid file even when empty', async () => {
  const query = queryOf({ search: 'nobody at all' });
  expect(JSON.parse(await text(await exportLog(readers, parts, 'json', query)))).toEqual([]);
});

test('exports any number of entries in batches', { tags: ['long'] }, async () => {
  const rows = Array.from({ length: 4_500 }, (_, index) => ({
    id: newId(),
    at: new Date(Date.parse('2025-01-01T00:00:00Z') + index * 1_000),
    actor_kind: 'system' as const,
    actor_id: null,
    actor_name: null,
    action: index === 0 ? 'first_of_all' : 'heard',
    category: 'security' as const,
    subject_kind: null,
    subject_id: null,
    details: '{}',
    request_id: 'many',
    success: true,
  }));
  for (let at = 0; at < rows.length; at += 500)
    await db
      .insertInto('audit_entries')
      .values(rows.slice(at, at + 500))
      .execute();
  await sealEntries(sealer);
  const all = JSON.parse(
    await text(await exportLog(readers, parts, 'json', queryOf({ to: '2026-01-01T00:00:00Z' }))),
  ) as { id: string }[];
  expect(all.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toReversed());
  const first = await text(await exportLog(readers, parts, 'json', queryOf({ search: 'first of all' })));
  expect(JSON.parse(first)).toHaveLength(1);
});

test('limits exports to administrators and their own requests', async () => {
  const refused = async (who: Person, query: URLSearchParams) => {
    const { code } = await refusalOf(exportLog(as(who), parts, 'csv', query));
    return code;
  };
  const other = { ...(await addClient(db)), role: 'super_admin' } as const;
  expect(await refused(naomi, new URLSearchParams())).toBe('forbidden');
  expect(await refused(admin, new URLSearchParams({ asked: 'security' }))).toBe('invalid');
  expect(await refused(other, queryOf({ search: 'naomi' }))).toBe('invalid');
});

test('keeps search words out of export URLs', () => {
  const path = exportPath(readers, { search: 'naomi@italk.test', format: 'csv' });
  expect(decodeURIComponent(path)).not.toMatch(/naomi|search/);
});

test('reports a name shared by too many people', { tags: ['long'] }, async () => {
  for (let one = 0; one < 101; one++) await name(await addClient(db), `Miriam ${one}`);
  expect(await read({ search: 'miriam' })).toMatchObject({ manyPeople: true });
  expect(await read({ search: 'miriam 10' })).toMatchObject({ manyPeople: false });
});
