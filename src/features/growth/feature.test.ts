import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SealedColumn } from '#/platform/sealed-column.ts';
import { selfOf } from '#/features/access/rules.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { proving } from '../../../tests/support/prove.ts';
import { scannedBy } from '../../../tests/support/scans.ts';
import { addClient, addClients, addProvider, type Person } from '../../../tests/support/people.ts';
import { goalsOf, sealedGoals } from './goals/queries.ts';
import { journalMonths, journalOf, sealedEntries } from './journal/queries.ts';
import { receivedPrayers } from './prayers/commands.ts';
import { prayersOf, sealedPrayers } from './prayers/queries.ts';
import { progressOf } from './progress/queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const rows = proving ? 100_000 : 10_000;

let client: Person;
let pastor: Person;

beforeAll(async () => {
  client = await addClient(db);
  pastor = { ...(await addProvider(db)), role: 'pastor' };
  // 100 people with 1,000 rows of each kind. Only rows the queries read are encrypted: the client's own and the newest
  // overall.
  const people = [client, ...(await addClients(db, 99))].map(({ id }) => id);
  const { keyring } = as(client);
  const read = Array.from({ length: rows }, (_, index) => index + 1).filter(
    (n) => n % 100 === 0 || n > rows - 60,
  );
  const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const of = (column: SealedColumn) => read.map((n) => column.seal(keyring, idOf(n), 'x'));
  const id = sql`('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  const owner = sql`(${sql.val(people)}::uuid[])[1 + n % 100]`;
  const numbered = (column: SealedColumn) => sql`
    generate_series(1, ${rows}) n
      left join unnest(${sql.val(read)}::int[], ${sql.val(of(column))}::text[]) as s (number, sealed) on number = n`;
  await db.transaction().execute(async (filling) => {
    // Skips foreign key checks, which take longer than the inserts.
    await sql`set local session_replication_role = replica`.execute(filling);
    // Building indexes once beats updating them per row.
    const { rows: indexes } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
       where tablename in ('journal_entries', 'goals', 'prayer_requests') and indexdef not like 'CREATE UNIQUE%'`.execute(
      filling,
    );
    for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(filling);
    await sql`
      insert into journal_entries (id, person_id, text, entry_date, created_at, updated_at)
      select ${id}, ${owner}, coalesce(sealed, 'x'), date '2010-01-01' + n / 20, now(), now()
        from ${numbered(sealedEntries.text)}`.execute(filling);
    await sql`
      insert into goals (id, person_id, title, created_at, updated_at, achieved_at)
      select ${id}, ${owner}, coalesce(sealed, 'x'),
        timestamptz '2010-01-01' + n * interval '1 hour', now(), case when n % 2 = 0 then now() end
        from ${numbered(sealedGoals.title)}`.execute(filling);
    await sql`
      insert into prayer_requests (id, client_id, text, audience, provider_id, show_name, state, created_at, updated_at)
      select ${id}, ${owner}, coalesce(sealed, 'x'),
        case when n % 2 = 0 then 'pastors' else 'counsellor' end, case when n % 2 = 0 then null else ${pastor.id}::uuid end,
        false, 'open', timestamptz '2010-01-01' + n * interval '1 hour', now()
        from ${numbered(sealedPrayers.text)}`.execute(filling);
    for (const { definition } of indexes) await sql.raw(definition).execute(filling);
  });
  await sql`vacuum analyze journal_entries, goals, prayer_requests`.execute(db);
});

describe(`with ${rows} rows of each kind`, () => {
  const self = () => selfOf(as(client));
  test.each([
    ['a page of the journal', () => journalOf(as(client), self(), { limit: 10 })],
    [
      'a later page of it',
      () =>
        journalOf(as(client), self(), {
          limit: 10,
          beforeDate: proving ? '2023-06-01' : '2011-03-01',
          beforeId: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
        }),
    ],
    [
      'a month of it',
      () => journalOf(as(client), self(), { limit: 10, month: proving ? '2023-07' : '2011-04' }),
    ],
    ['its months', () => journalMonths(as(client), self())],
    ['a page of goals', () => goalsOf(as(client), self(), { state: 'open', limit: 20, offset: 0 })],
    ['a page of one’s prayer requests', () => prayersOf(as(client), self(), { limit: 10 })],
    [
      'a page of those that a pastor is asked',
      () => receivedPrayers(as(pastor), { state: 'open', limit: 20 }),
    ],
    ['progress', () => progressOf(as(client), self())],
  ] as const)('reads %s by index', async (_, run) => {
    expect(await scannedBy(db, ['journal_entries', 'goals', 'prayer_requests'], run)).toEqual([]);
  });

  test('reads every list by index, never all rows', async () => {
    for (const [where, order] of [
      [sql`from journal_entries where person_id = ${client.id}`, sql`entry_date desc, id desc`],
      [
        sql`from goals where person_id = ${client.id} and archived_at is null and achieved_at is null`,
        sql`created_at desc, id desc`,
      ],
      [sql`from prayer_requests where client_id = ${client.id}`, sql`created_at desc, id desc`],
      [
        sql`from prayer_requests where provider_id = ${pastor.id} and state = 'open'`,
        sql`created_at desc, id desc`,
      ],
      [
        sql`from prayer_requests where audience = 'pastors' and state = 'open'`,
        sql`created_at desc, id desc`,
      ],
    ] as const) {
      const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
        explain (analyze, buffers) select * ${where} order by ${order} limit 21`.execute(db);
      const text = plan.map((one) => one['QUERY PLAN']).join('\n');
      expect(text).toMatch(/Index Scan/);
      expect(text).not.toMatch(/Seq Scan|Sort/);
    }
  });
});
