import { expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { removeDates, setDates } from '#/features/availability/dates/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider } from '../../../../tests/support/people.ts';
import { freeStarts } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-03-02T12:00:00Z' });

test('applies days off and extra dates to clients’ free times immediately', async () => {
  const [provider, client] = [await addProvider(db), await addClient(db)];
  const own = selfOf(as(provider));
  // A Wednesday, and a Sunday outside the usual hours.
  const [wednesday, sunday] = ['2026-03-11', '2026-03-15'] as const;
  const free = async (date: string) =>
    (
      await freeStarts(as(client), {
        providerId: provider.id,
        durationMinutes: 60,
        from: `${date}T04:00:00Z`,
        to: new Date(Date.parse(`${date}T04:00:00Z`) + 86_400_000).toISOString(),
      })
    ).starts;
  const before = await free(wednesday);
  expect(before.length).toBeGreaterThan(4);
  expect(await free(sunday)).toEqual([]);

  await setDates(as(provider), own, { from: wednesday, windows: [], note: 'With my mother' });
  expect(await free(wednesday)).toEqual([]);
  await removeDates(as(provider), own, { from: wednesday });
  expect(await free(wednesday)).toEqual(before);
  for (const date of [wednesday, sunday]) {
    const windows = [{ from: '20:00', to: '21:00' }];
    await setDates(as(provider), own, { from: date, windows, note: '' });
    // 8 PM in New York, on DST since the 8th.
    expect(await free(date)).toEqual([
      `${new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`,
    ]);
  }
});
