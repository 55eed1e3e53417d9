import { describe, expect, it, test } from 'vitest';
import { openLog } from '#/platform/log.ts';
import { openHub } from '#/platform/realtime/hub.ts';
import { pagesChannel } from '#/platform/realtime/publish.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient } from '../../../../tests/support/people.ts';
import { refusalOf } from '../../../../tests/support/refusal.ts';
import { editDevotional } from './commands.ts';
import { devotionalsPersonal } from '../personal.ts';
import { requireDevotional, requireDevotionalEntry } from './policies.ts';
import { todayOf, yearOf } from './queries.ts';
import { asQuoted, dayText, daysAround, yearDays } from './rules.ts';

const { db, as, setNow, url } = await testDatabase();
const guest = as({ kind: 'guest' });
const chief = await addClient(db);
await db
  .updateTable('profiles')
  .set({ role: 'super_admin', full_name: 'Miriam Hale' })
  .where('id', '=', chief.id)
  .execute();
const admin = as({ ...chief, role: 'super_admin' });

describe('today’s devotional', () => {
  it.each([
    ['Pacific/Kiritimati', '03-03'],
    ['America/New_York', '03-02'],
    ['Pacific/Pago_Pago', '03-01'],
    [undefined, '03-02'],
  ])('is that of the date in %s', async (zone, day) => {
    setNow(day === '03-01' ? '2026-03-02T10:30:00Z' : '2026-03-02T12:00:00Z');
    expect(await todayOf(guest, zone)).toBe(day);
  });

  it('rejects an unknown time zone', async () => {
    expect((await refusalOf(todayOf(guest, 'Mars/Olympus'))).code).toBe('invalid');
  });

  it('exists on a leap day', async () => {
    setNow('2028-02-29T15:00:00Z');
    expect((await requireDevotional(guest, await todayOf(guest, 'America/New_York'))).reference).toBe(
      'Psalm 31:14-15',
    );
  });
});

test('links each of 366 days to the previous and next, wrapping at the year’s end', async () => {
  expect(yearDays).toHaveLength(366);
  expect(daysAround('01-01')).toEqual({ previous: '12-31', next: '01-02' });
  expect(daysAround('12-31').next).toBe('01-01');
  const leap = await requireDevotional(guest, '02-29');
  expect([leap.previous.day, leap.next.day]).toEqual(['02-28', '03-01']);
  expect(leap.previous.title).not.toBe('');
  expect(dayText('02-29')).toBe('February 29');
  expect((await refusalOf(requireDevotional(guest, '02-30'))).code).toBe('not_found');
});

test.each([
  ['Jesus wept.', 'Jesus wept.'],
  ['He said, “Come.”', 'He said, “Come.”'],
  ['being confident of this', '… being confident of this …'],
  ['Continue in prayer,', 'Continue in prayer …'],
  ['‘Peace.’ ', '‘Peace.’ '],
])('%j is quoted as %j', (text, quoted) => {
  expect(asQuoted(text)).toBe(quoted);
});

describe('an administrator', () => {
  const words = {
    title: 'A new title',
    reference: 'Psalm 1:1',
    text: 'Words of the passage.',
    thought: 'A thought.',
    prayer: 'A prayer.',
  };

  it('edits a day, which updates its page immediately and is logged', async () => {
    setNow('2026-03-02T12:00:00Z');
    const { version } = await requireDevotionalEntry(admin, '05-05');
    const hub = await openHub(url, openLog('silent'));
    const dropped = Promise.withResolvers<void>();
    await hub.listen(pagesChannel, () => dropped.resolve());
    const saved = await editDevotional(admin, { day: '05-05', version, ...words });
    expect(saved).toMatchObject({ ...words, version: version + 1, editedBy: 'Miriam Hale' });
    expect(saved.editedAt).toBe('2026-03-02T12:00:00Z');
    await dropped.promise;
    await hub.close();
    expect(await requireDevotional(guest, '05-05')).toMatchObject(words);
    expect((await requireDevotional(guest, '05-04')).next.title).toBe(words.title);
    const entry = await db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'details'])
      .where('action', '=', 'devotional_edited')
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({
      action: 'devotional_edited',
      actor_id: chief.id,
      details: { day: '05-05', version: version + 1, changed: 'title reference text thought prayer' },
    });
    expect(await devotionalsPersonal.collect(admin, chief.id)).toMatchObject({
      tables: { devotionals: [{ day: '05-05', title: words.title }] },
    });
  });

  it('can’t overwrite a concurrent edit, and writes nothing without changes', async () => {
    const { version } = await requireDevotionalEntry(admin, '06-06');
    const both = await Promise.allSettled([
      editDevotional(admin, { day: '06-06', version, ...words, title: 'One' }),
      editDevotional(admin, { day: '06-06', version, ...words, title: 'Two' }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const kept = await requireDevotionalEntry(admin, '06-06');
    expect(kept.version).toBe(version + 1);
    const { editedAt: _at, editedBy: _by, ...same } = kept;
    expect((await editDevotional(admin, same)).version).toBe(version + 1);
    expect(await refusalOf(editDevotional(admin, { ...same, version }))).toMatchObject({
      code: 'conflict',
      reason: 'changed_meanwhile',
    });
    const missing = await refusalOf(editDevotional(admin, { ...same, day: '02-30' }));
    expect(missing.code).toBe('not_found');
  });

  it('finds days by month or by search text, without wildcards', async () => {
    expect(await yearOf(admin, {})).toHaveLength(366);
    expect((await yearOf(admin, { month: 2 })).map(({ day }) => day)).toEqual(
      yearDays.filter((day) => day.startsWith('02-')),
    );
    expect((await yearOf(admin, { search: 'numbers 6:24' })).map(({ day }) => day)).toEqual(['12-31']);
    expect(await yearOf(admin, { search: '100%' })).toEqual([]);
    expect(await yearOf(admin, { search: '_' })).toEqual([]);
    expect(await yearOf(admin, { search: '\\' })).toEqual([]);
  });

  it('is the only role that can edit', async () => {
    for (const role of ['client', 'doctor', 'pastor'] as const) {
      const attempt = editDevotional(as({ ...chief, role }), { day: '05-05', version: 2, ...words });
      expect((await refusalOf(attempt)).code).toBe('forbidden');
    }
  });
});
