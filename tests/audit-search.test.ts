import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { recorded } from '#/app/recorded.ts';
import { sealEntries } from '#/features/audit/chain/commands.ts';
import { logPage, type Cursor } from '#/features/audit/log/queries.ts';
import { logFigures } from '#/features/audit/totals/queries.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { NewAuditEntry } from '#/features/audit/tables.ts';
import { newId } from '#/platform/clock.ts';
import { auditCategories, type AuditCategory } from '../src/features/audit/actions/rules.ts';
import { testDatabase } from './support/database.ts';
import { addClients } from './support/people.ts';

const { db, as } = await testDatabase();
const ctx = as({ kind: 'system' });
const graces = await addClients(db, 60);
const others = await addClients(db, 10);
for (const [number, { id }] of graces.entries())
  await db
    .updateTable('users')
    .set({ name: `Grace ${number}` })
    .where('id', '=', id)
    .execute();

/** Timestamps within a hundred days, some shared. */
const instant = (number: number) => new Date(Date.UTC(2026, 0, 1) + (number % 700) * 12_340_000);

/** Uneven activity: some people do a lot, others little, and rare categories stay rare. */
const entries = Array.from({ length: 3_000 }, (_, number) => {
  const actor = number % 3 === 0 ? graces[number % 4]! : [...graces, ...others][(number * 7) % 70]!;
  const subject = [...graces, ...others][(number * 31) % 70]!;
  const rare = number % 97 === 0;
  return {
    id: newId(),
    at: instant(number * 7919),
    actor_kind: number % 5 === 0 ? ('guest' as const) : ('person' as const),
    actor_id: number % 5 === 0 ? null : actor.id,
    actor_name: null,
    action: rare ? 'settings.changed' : 'signed_in',
    category: rare ? ('system_settings' as const) : auditCategories[number % 2 === 0 ? 3 : 0],
    subject_kind: number % 4 === 0 ? 'provider' : 'person',
    subject_id: number % 4 === 1 ? null : subject.id,
    details: '{}',
    request_id: 'many',
    success: true,
  };
});
async function write(some: readonly NewAuditEntry[]): Promise<void> {
  for (let at = 0; at < some.length; at += 500)
    await db
      .insertInto('audit_entries')
      .values(some.slice(at, at + 500))
      .execute();
}
await write(entries.slice(0, 2_900));
await sealEntries(as({ kind: 'job', name: 'audit' }));

interface Asked {
  search: string;
  category?: AuditCategory;
  from?: string;
  to?: string;
  about?: string[];
}

/** Oracle: filters every entry one by one. Searches match only names and numbers. */
async function oneByOne({ search, category, from, to }: Asked): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from audit_entries e
      left join users actor on actor.id = e.actor_id
      left join users subject on subject.id = e.subject_id and e.subject_kind = 'person'
     where (${search} in ('', e.id::text, e.actor_id::text, e.subject_id::text)
        or position(${search} in lower(coalesce(actor.name, '') || ' ' || coalesce(subject.name, ''))) > 0)
       and e.category = coalesce(${category ?? null}, e.category)
       and e.at >= ${from ?? '-infinity'}::timestamptz and e.at < ${to ?? 'infinity'}::timestamptz
     order by e.at desc, e.id desc`.execute(db);
  return rows.map(({ id }) => id);
}

async function pages(asked: Asked, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let before: Cursor | null = null; ;) {
    const page: Awaited<ReturnType<typeof logPage>> = await logPage(ctx, recorded, {
      ...asked,
      before,
      limit,
    });
    ids.push(...page.entries.map(({ id }) => id));
    const last = page.entries.at(-1);
    if (!page.more || !last) return ids;
    before = { at: last.at, id: last.id };
  }
}

const rarely = { category: 'system_settings' } as const;
const spring = { from: isoOf(instant(300)), to: isoOf(instant(420)) };

test.each<[Asked, number]>([
  [{ search: 'grace' }, 60],
  [{ search: 'grace', ...rarely }, 3],
  [{ search: 'grace', ...rarely, ...spring }, 2],
  [{ search: 'grace 1', category: 'security' }, 25],
  [{ search: 'grace 7', ...spring }, 4],
  [{ search: '', ...rarely }, 4],
  [{ search: '', category: 'user_management', ...spring }, 50],
  [{ search: graces[2]!.id }, 40],
  [{ search: graces[2]!.id, ...rarely }, 1],
  [{ search: entries[17]!.id }, 2],
  [{ search: 'grace', category: 'provider_approval' }, 5],
])('matches a full scan page by page for %o', async (asked, limit) => {
  const expected = await oneByOne(asked);
  expect(expected.length === 0).toBe(asked.category === 'provider_approval');
  expect(await pages(asked, limit)).toEqual(expected);
});

test('returns only entries by or about the given ids, page by page', async () => {
  const [one, other] = [graces[2]!.id, entries[17]!.id];
  const expected = [
    ...new Set([...(await oneByOne({ search: one })), ...(await oneByOne({ search: other }))]),
  ];
  const found = await pages({ search: 'ignored', about: [one, other] }, 25);
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(found.slice(0, 5)).toEqual((await pages({ search: '', about: [other, one] }, 100)).slice(0, 5));
  expect(await pages({ search: '', about: [newId()] }, 25)).toEqual([]);
});

test('counts people once, sealed or not', async () => {
  const [newcomer] = await addClients(db, 1);
  await write([
    { ...entries[1]!, id: newId(), actor_kind: 'person', actor_id: newcomer!.id },
    { ...entries[1]!, id: newId(), actor_kind: 'site_token', actor_id: newId() },
    ...entries.slice(2_900),
  ]);
  const check = async () => {
    for (const [from, to] of [
      [0, 700],
      [300, 420],
      [300, 301],
      [-10, 3],
      [690, 900],
    ] as const) {
      const span = {
        from: isoOf(Date.UTC(2026, 0, 1) + from * 12_340_000),
        to: isoOf(Date.UTC(2026, 0, 1) + to * 12_340_000),
      };
      const { rows } = await sql<{ people: number; entries: number }>`
      select count(distinct actor_id) filter (where actor_kind = 'person') as people, count(*) as entries from audit_entries
       where at >= ${span.from}::timestamptz and at < ${span.to}::timestamptz`.execute(db);
      expect(await logFigures(ctx, span)).toMatchObject({
        total: rows[0]!.entries,
        activeUsers: rows[0]!.people,
      });
    }
  };
  await check();
  await sealEntries(as({ kind: 'job', name: 'audit' }));
  await check();
});
