import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { book } from '#/features/appointments/booking/commands.ts';
import { startProduct } from '../scripts/product.ts';
import { bookInputFor } from './support/booking.ts';
import { testDatabase } from './support/database.ts';
import { addClient, addProvider, sixtyMinutes } from './support/people.ts';

const { db, url, as, keys } = await testDatabase();

test('serves in one process and runs jobs and schedules in another', { tags: ['long'] }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'italk-roles-'));
  const start = (role: string) =>
    startProduct({ dataDir, env: { DATABASE_URL: url, ITALK_ROLE: role, ...keys } });
  const web = await start('web');
  const [client, provider] = [await addClient(db), await addProvider(db, { approvesFirst: true })];
  const { appointments } = await book(
    as(client),
    bookInputFor(provider.id, await sixtyMinutes(db), '2026-03-09T14:00:00Z'),
  );
  // Unanswered, and begun.
  const at = sql<Date>`now() - interval '1 hour'`;
  await db
    .updateTable('appointments')
    .set({ starts_at: at, ends_at: sql`now()`, blocked_until: sql`now()` })
    .where('id', '=', appointments[0]!.id)
    .execute();
  const work = async () => {
    const { rows } = await sql<{ jobs: number; pending: number }>`
      select (select count(*) from jobs.job where state < 'completed' and start_after <= now()) as jobs,
        (select count(*) from appointments where status = 'pending' and starts_at < now()) as pending`.execute(
      db,
    );
    return rows[0]!;
  };
  const answers = async (product: typeof web) =>
    Promise.all(
      ['/', '/readyz', '/api/services'].map(async (path) => (await fetch(product.url + path)).status),
    );
  try {
    expect(await answers(web)).toEqual([200, 200, 200]);
    expect(await work()).toEqual({ jobs: expect.any(Number) as number, pending: 1 });
    expect((await work()).jobs).toBeGreaterThan(0);
    const worker = await start('worker');
    try {
      expect(await answers(worker)).toEqual([404, 200, 404]);
      await expect.poll(work, { timeout: 60_000 }).toEqual({ jobs: 0, pending: 0 });
    } finally {
      expect(await worker.stop()).toBe(0);
    }
  } finally {
    expect(await web.stop()).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  }
});
