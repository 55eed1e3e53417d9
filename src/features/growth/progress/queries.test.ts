import { expect, test } from 'vitest';
import { selfOf } from '#/features/access/rules.ts';
import { achieveGoal, addGoal, removeGoal, tickStep } from '#/features/growth/goals/commands.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { askPrayer, markPrayed } from '#/features/growth/prayers/commands.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, type Person } from '../../../../tests/support/people.ts';
import { unlocked } from '../../../../tests/support/words.ts';
import { addSession } from '../../../../tests/support/sessions.ts';
import { progressOf } from './queries.ts';

const { db, as, setNow } = await testDatabase();

async function setZone(person: Person, timeZone: string | null): Promise<void> {
  await db.updateTable('profiles').set({ time_zone: timeZone }).where('id', '=', person.id).execute();
}

test('counts a person’s activity by days and months in their time zone', async () => {
  const [client, other, doctor] = [await addClient(db), await addClient(db), await addProvider(db)];
  await setZone(client, 'America/New_York');
  // 23:30 on February 28 local time, already March in UTC.
  await addSession(db, { client, provider: doctor, start: '2026-03-01T04:30:00Z' });
  await addSession(db, { client, provider: doctor, start: '2026-03-08T06:30:00Z' });
  // Same local day, with the DST change in between.
  setNow('2026-03-09T03:30:00Z');
  const goal = await addGoal(as(client), { title: 'Rest', steps: [{ text: 'One' }] });
  await tickStep(as(client), { goalId: goal.id, stepId: goal.steps[0]!.id, done: true });
  await achieveGoal(as(client), goal.id, true);
  setNow('2026-03-10T12:00:00Z');
  await writeEntry(await unlocked(as(client)), { text: 'x', date: '2026-02-28' });
  await writeEntry(await unlocked(as(client)), { text: 'x', date: '2026-01-15' });
  const { id } = await askPrayer(as(client), {
    text: 'x',
    audience: 'counsellor',
    providerId: doctor.id,
    showName: false,
  });
  setNow('2026-03-12T12:00:00Z');
  await markPrayed(as(doctor), id, undefined);
  // Not counted: future, missed, removed, or belonging to others.
  await addSession(db, { client, provider: doctor, start: '2026-03-11T15:00:00Z', status: 'confirmed' });
  await addSession(db, { client, provider: doctor, start: '2026-03-12T15:00:00Z', status: 'no_show' });
  const removed = await addGoal(as(client), { title: 'Removed', steps: [] });
  await achieveGoal(as(client), removed.id, true);
  await removeGoal(as(client), removed.id);
  await db
    .updateTable('goals')
    .set({ achieved_at: new Date('2026-03-09T03:30:00Z') })
    .where('id', '=', removed.id)
    .execute();
  await addSession(db, { client: other, provider: doctor, start: '2026-03-05T15:00:00Z' });

  const progress = await progressOf(as(client), selfOf(as(client)));
  expect(progress).toMatchObject({
    timeZone: 'America/New_York',
    sessionsCompleted: 2,
    resourcesUsed: 0,
    goalsAchieved: 1,
    // January 15, February 28, March 8 and 10.
    daysActive: 4,
  });
  expect(progress.months.slice(-3)).toEqual([
    { month: '2026-01', sessions: 0, activeDays: 1 },
    { month: '2026-02', sessions: 1, activeDays: 1 },
    { month: '2026-03', sessions: 1, activeDays: 2 },
  ]);
  // The provider's three completed sessions and one prayer day.
  expect(await progressOf(as(doctor), selfOf(as(doctor)))).toMatchObject({
    sessionsCompleted: 3,
    daysActive: 4,
  });

  await setZone(client, 'Asia/Kathmandu');
  // January 15, February 28, March 1, 8, 9 and 10.
  expect(await progressOf(as(client), selfOf(as(client)))).toMatchObject({ daysActive: 6 });
});

test('counts the same days as Temporal in any time zone', async () => {
  setNow('2026-06-01T12:00:00Z');
  const [client, doctor] = [await addClient(db), await addProvider(db)];
  const starts = Array.from({ length: 60 }, (_, index) =>
    Temporal.Instant.from('2025-06-02T00:07:00Z').add({ hours: 131 * index + (index % 5) * 7 }),
  );
  for (const start of starts) await addSession(db, { client, provider: doctor, start: start.toString() });
  for (const timeZone of [
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'America/St_Johns',
    'Australia/Lord_Howe',
    null,
  ]) {
    await setZone(client, timeZone);
    const progress = await progressOf(as(client), selfOf(as(client)));
    const dates = starts.map((start) => start.toZonedDateTimeISO(progress.timeZone).toPlainDate());
    expect(progress.daysActive).toBe(new Set(dates.map(String)).size);
    for (const { month, sessions, activeDays } of progress.months) {
      const inMonth = dates.map(String).filter((date) => date.startsWith(month));
      expect([month, sessions, activeDays]).toEqual([month, inMonth.length, new Set(inMonth).size]);
    }
  }
});
