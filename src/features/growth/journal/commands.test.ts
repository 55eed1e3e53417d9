import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { selfOf } from '#/features/access/rules.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { unlocked } from '../../../../tests/support/words.ts';
import { growth } from '../feature.ts';
import { addGoal } from '../goals/commands.ts';
import { growthPersonal } from '../personal.ts';
import { createRouterClient } from '@orpc/server';
import { changeEntry, removeEntry, writeEntry } from './commands.ts';
import { requireOwnEntry } from './policies.ts';
import { entryOf, journalMonths, journalOf, journalText } from './queries.ts';

const { db, as, setNow } = await testDatabase({ now: '2026-03-02T12:00:00Z' });
const words = { title: 'riverwords', text: 'candlewords\n\nand a second line', mood: 4 };

const author = (person: Person) => unlocked(as(person));

const journal = async (person: Person, more: Partial<Parameters<typeof journalOf>[2]> = {}) =>
  journalOf(await author(person), selfOf(as(person)), { limit: 10, ...more });

async function inZone(timeZone: string): Promise<Person> {
  const client = await addClient(db);
  await db.updateTable('profiles').set({ time_zone: timeZone }).where('id', '=', client.id).execute();
  return client;
}

test('limits a person’s new goals and entries to 100 a day', async () => {
  const client = await addClient(db);
  await addGoal(as(client), { title: 'Walk', steps: [] });
  await db.updateTable('rate_limits').set({ hits: 99 }).where('key', '=', `growth:${client.id}`).execute();
  await writeEntry(await author(client), words);
  const full = { code: 'rate_limited', reason: 'too_many_entries' };
  expect(await refusalOf(writeEntry(await author(client), words))).toMatchObject(full);
  expect(await refusalOf(addGoal(as(client), { title: 'Rest', steps: [] }))).toMatchObject(full);
  await writeEntry(await author(await addClient(db)), words);
});

describe('a journal entry', () => {
  test('is created, read, changed and deleted by its author', async () => {
    const client = await addClient(db);
    const entry = await writeEntry(await author(client), { ...words, date: '2026-02-27' });
    expect(entry).toMatchObject({ ...words, date: '2026-02-27' });
    const changed = await changeEntry(await author(client), { entryId: entry.id, text: 'Other words' });
    expect(changed).toMatchObject({ title: null, text: 'Other words', mood: null, date: '2026-02-27' });
    await removeEntry(await author(client), entry.id);
    expect((await journal(client)).entries).toEqual([]);
    const { count } = await db
      .selectFrom('journal_entries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('person_id', '=', client.id)
      .executeTakeFirstOrThrow();
    expect(count).toBe(0);
  });

  test.each([
    ['Pacific/Kiritimati', '2026-03-03'],
    ['America/Los_Angeles', '2026-03-02'],
    ['Pacific/Pago_Pago', '2026-03-02'],
  ])('is dated in its author’s time zone: %s', async (timeZone, today) => {
    setNow('2026-03-02T12:00:00Z');
    const client = await inZone(timeZone);
    expect((await writeEntry(await author(client), { text: 'Today' })).date).toBe(today);
    const tomorrow = Temporal.PlainDate.from(today).add({ days: 1 }).toString();
    const { id } = (await journal(client)).entries[0]!;
    for (const attempt of [
      async () => writeEntry(await author(client), { text: 'Tomorrow', date: tomorrow }),
      async () => changeEntry(await author(client), { entryId: id, text: 'x', date: tomorrow }),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({
        code: 'invalid',
        fields: [{ field: 'date', reason: 'in_future' }],
      });
    }
  });

  test('is stored once per id, with the latest words, and never over another person’s', async () => {
    const client = await addClient(db);
    const entryId = newId();
    const first = writeEntry(await author(client), { entryId, ...words });
    await Promise.all([first, writeEntry(await author(client), { entryId, ...words })]);
    await writeEntry(await author(client), { entryId, ...words, text: 'Second thoughts' });
    expect((await journal(client)).entries).toMatchObject([{ id: entryId, text: 'Second thoughts' }]);
    const other = await addClient(db);
    expect(await refusalOf(writeEntry(await author(other), { entryId, ...words }))).toMatchObject({
      code: 'not_found',
      reason: 'journal_entry',
    });
    expect((await journal(client)).entries).toMatchObject([{ id: entryId, text: 'Second thoughts' }]);
  });

  test('isn’t saved over another window’s change', async () => {
    const client = await addClient(db);
    const { id: entryId, version } = await writeEntry(await author(client), words);
    const change = { entryId, version, text: 'First window' };
    const first = await changeEntry(await author(client), change);
    expect(await changeEntry(await author(client), change)).toEqual(first);
    for (const other of [{ title: 'A day' }, { mood: 1 }, { date: '2026-03-01' }])
      expect(await refusalOf(changeEntry(await author(client), { ...change, ...other }))).toMatchObject({
        code: 'conflict',
      });
    const second = { entryId, version, text: 'Second window' };
    expect(await refusalOf(changeEntry(await author(client), second))).toMatchObject({
      code: 'conflict',
      reason: 'changed_meanwhile',
    });
    expect((await journal(client)).entries).toEqual([first]);
    await changeEntry(await author(client), { ...second, version: first.version });
    expect((await journal(client)).entries).toMatchObject([{ text: 'Second window' }]);
  });

  test('returns not_found to everyone else, whatever their role', async () => {
    const client = await addClient(db);
    const entry = await writeEntry(await author(client), words);
    const others: Person[] = [
      await addClient(db),
      await addProvider(db),
      { ...(await addProvider(db)), role: 'pastor' },
      { ...(await addClient(db)), role: 'super_admin' },
    ];
    for (const other of others) {
      for (const attempt of [
        () => transact(as(other), (tx) => requireOwnEntry(tx, selfOf(tx), entry.id)),
        () => changeEntry(as(other), { entryId: entry.id, text: 'Mine' }),
        () => removeEntry(as(other), entry.id),
      ]) {
        expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'journal_entry' });
      }
      expect((await journal(other)).entries).toEqual([]);
      expect(await journalMonths(as(other), selfOf(as(other)))).toEqual([]);
      // No growth procedure exposes the entry to them.
      const api = createRouterClient(growth.handlers({}).growth, { context: await author(other) });
      const answers = [
        await api.journal.list({ limit: 50, beforeDate: '2099-01-01', beforeId: entry.id }),
        await api.goals.list({ state: 'open' }),
        await api.progress.mine(),
      ];
      expect(JSON.stringify(answers)).not.toMatch(/riverwords|candlewords/);
    }
    expect(await entryOf(await author(client), selfOf(as(client)), entry.id)).toEqual(entry);
  });

  test('is encrypted, with its text in no table, log or email', async () => {
    const client = await addClient(db);
    await writeEntry(await author(client), words);
    const { rows: tables } = await sql<{ name: string; schema: string }>`
      select table_name as name, table_schema as schema from information_schema.tables
       where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`.execute(db);
    for (const { name, schema } of tables) {
      const { rows } = await sql`
        select 1 from ${sql.table(`${schema}.${name}`)} as t where t::text ~ 'riverwords|candlewords'`.execute(
        db,
      );
      expect(rows, name).toEqual([]);
    }
  });

  test('can’t be decrypted after moving it to another person', async () => {
    const [client, thief] = [await addClient(db), await addClient(db)];
    const entry = await writeEntry(await author(client), words);
    const own = await writeEntry(await author(thief), { text: 'Own' });
    await sql`update journal_entries set text = (select text from journal_entries where id = ${entry.id}) where id = ${own.id}`.execute(
      db,
    );
    await expect(journal(thief)).rejects.toThrow(/authenticate/);
    await sql`delete from journal_entries where id = ${own.id}`.execute(db);
  });
});

test('has its text in the author’s own download, but in no archive, which says so', async () => {
  const client = await addClient(db);
  await writeEntry(await author(client), { ...words, date: '2026-02-27' });
  const { tables, leftOut } = await growthPersonal.collect(as({ kind: 'system' }), client.id);
  expect(tables.journal_entries).toMatchObject([{ entry_date: '2026-02-27', mood: 4 }]);
  expect(JSON.stringify(tables)).not.toMatch(/riverwords|candlewords/);
  expect(leftOut).toEqual([expect.stringContaining('Download it from your journal page')]);
  const self = selfOf(as(client));
  expect(await journalText(await author(client), self)).toBe(
    `2026-02-27 · ${words.title}\n\n${words.text}\n`,
  );
  expect(await refusalOf(journalText(as(client), self))).toMatchObject({ reason: 'words_locked' });
});

describe('the journal', () => {
  test('is listed by day, latest first, and by month', async () => {
    const client = await addClient(db);
    const dates = ['2025-12-31', '2026-01-05', '2026-01-05', '2026-01-05', '2026-02-01', '2026-03-01'];
    for (const date of dates) await writeEntry(await author(client), { text: date, date });
    const seen: string[] = [];
    let after: { beforeDate?: string; beforeId?: string } = {};
    for (let more = true; more;) {
      const page = await journal(client, { limit: 2, ...after });
      seen.push(...page.entries.map(({ id }) => id));
      const end = page.entries.at(-1)!;
      after = { beforeDate: end.date, beforeId: end.id };
      more = page.more;
    }
    expect(new Set(seen).size).toBe(6);
    expect((await journal(client)).entries.map(({ text }) => text)).toEqual(dates.toReversed());
    expect((await journal(client, { month: '2026-01' })).entries).toHaveLength(3);
    expect(await journalMonths(as(client), selfOf(as(client)))).toEqual([
      { month: '2026-03', count: 1 },
      { month: '2026-02', count: 1 },
      { month: '2026-01', count: 3 },
      { month: '2025-12', count: 1 },
    ]);
  });

  test('is refused, like all growth calls, while the feature is off', async () => {
    const client = await addClient(db);
    const entry = await writeEntry(await author(client), words);
    await db
      .updateTable('feature_flags')
      .set({ enabled: false })
      .where('id', '=', 'wellness_tracking')
      .execute();
    const api = createRouterClient(growth.handlers({}).growth, { context: await author(client) });
    const id = entry.id;
    for (const attempt of [
      () => api.journal.list({}),
      () => api.journal.months(),
      () => api.journal.write({ text: 'x' }),
      () => api.journal.change({ entryId: id, text: 'x' }),
      () => api.journal.remove({ entryId: id }),
      () => api.goals.list({ state: 'open' }),
      () => api.goals.add({ title: 'x' }),
      () => api.goals.restore({ goalId: id }),
      () => api.prayers.mine({}),
      () => api.prayers.ask({ text: 'x', audience: 'pastors', showName: true }),
      () => api.prayers.counsellors({}),
      () => api.progress.mine(),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'feature_off' });
    }
    await db
      .updateTable('feature_flags')
      .set({ enabled: true })
      .where('id', '=', 'wellness_tracking')
      .execute();
    expect((await journal(client)).entries).toHaveLength(1);
  });
});
