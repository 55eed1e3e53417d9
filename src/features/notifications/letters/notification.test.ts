import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { book } from '#/features/appointments/booking/commands.ts';
import { openJobs, startWorkers } from '#/platform/jobs/jobs.ts';
import type { Reaction } from '#/platform/jobs/reactions.ts';
import { openLog } from '#/platform/log.ts';
import { openListenConnection } from '#/platform/realtime/listen-connection.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { silentParts, testDatabase } from '../../../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes } from '../../../../tests/support/people.ts';
import { notifications } from '../feature.ts';

const { db, as, url, readMails } = await testDatabase({ poolSize: 6 });
const service = await sixtyMinutes(db);
const reactions = notifications.reactions(silentParts);

/** Works off every due job through these reactions. */
async function workOffAll(through: readonly Reaction[]): Promise<void> {
  const log = openLog('silent');
  const jobs = openJobs(url, log);
  await jobs.start();
  const listener = await openListenConnection(url, log, () => undefined);
  try {
    await startWorkers(jobs, through, ({ name }) => as({ kind: 'job', name }), log, listener);
    await expect.poll(async () => (await statesOfJobs()).get('created') ?? 0).toBe(0);
    await expect.poll(async () => (await statesOfJobs()).get('active') ?? 0).toBe(0);
  } finally {
    await listener.close();
    await jobs.stop({ graceful: false });
  }
}

async function statesOfJobs(): Promise<Map<string, number>> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state::text, count(*)::integer as count from jobs.job where name = 'notifications.booked' group by state`.execute(
    db,
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

test('writes a batch of letters in one transaction, in order, and a broken job fails alone', async () => {
  const provider = await addProvider(db);
  const days = ['09', '10', '11', '12', '13'];
  for (const day of days)
    await book(as(await addClient(db)), bookInputFor(provider.id, service, `2026-03-${day}T15:00:00Z`));
  const booked = reactions.find(({ name }) => name === 'notifications.booked')!;
  const sizes: number[] = [];
  const watched: Reaction = {
    ...booked,
    handleAll: (jobs) => {
      sizes.push(jobs.length);
      return booked.handleAll!(jobs);
    },
  };
  const letters = () => readMails((rows) => rows.where('recipient', '=', `${provider.id}@people.example`));

  await workOffAll([watched]);
  expect(sizes).toEqual([5]);
  const { rows } = await sql<{
    count: number;
  }>`select count(distinct xmin::text)::integer as count from mails`.execute(db);
  expect(rows).toEqual([{ count: 1 }]);
  expect(await readMails()).toHaveLength(10);
  const told = (await letters()).map(({ subject }) => /Mar (\d+)/.exec(subject)?.[1]!.padStart(2, '0'));
  expect(told).toEqual(days);

  // Again, as after a crash, with one whose booking can't be read.
  await sql`update jobs.job_common set state = 'created', started_on = null, completed_on = null,
    data = case when data->'payload'->>'bookingId' = (select min(id::text) from bookings)
      then jsonb_set(data, '{payload,bookingId}', '"broken"') else data end`.execute(db);
  await db.deleteFrom('mails').where('recipient', '=', `${provider.id}@people.example`).execute();
  await workOffAll([watched]);
  expect(sizes).toEqual([5, 5]);
  expect(await letters()).toHaveLength(4);
  expect(await statesOfJobs()).toEqual(
    new Map([
      ['completed', 4],
      ['retry', 1],
    ]),
  );
});
