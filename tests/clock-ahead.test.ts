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

/** Preloaded module: sets the process clock four days ahead. */
const ahead = `
  const instant = Temporal.Now.instant;
  Temporal.Now.instant = () => instant().add({ hours: 96 });
  const dateNow = Date.now;
  Date.now = () => dateNow() + 96 * 3_600_000;`;

/** Books a pending session and reschedules it to `hours` from now. */
async function ask(hours: number): Promise<string> {
  const [client, provider] = [await addClient(db), await addProvider(db, { approvesFirst: true })];
  const { appointments } = await book(
    as(client),
    bookInputFor(provider.id, await sixtyMinutes(db), '2026-03-09T14:00:00Z'),
  );
  const { id } = appointments[0]!;
  const startsAt = sql<Date>`date_trunc('hour', now()) + make_interval(hours => ${hours})`;
  const endsAt = sql<Date>`${startsAt} + interval '1 hour'`;
  await db
    .updateTable('appointments')
    .set({ starts_at: startsAt, ends_at: endsAt, blocked_until: endsAt })
    .where('id', '=', id)
    .execute();
  return id;
}

test(
  'cancels only what is due by database time, despite a clock four days ahead',
  { tags: ['long'] },
  async () => {
    const [due, coming] = [await ask(-1), await ask(48)];
    const dataDir = await mkdtemp(join(tmpdir(), 'italk-ahead-'));
    const options = `--import data:text/javascript,${encodeURIComponent(ahead)}`;
    const product = await startProduct({
      dataDir,
      env: { DATABASE_URL: url, NODE_OPTIONS: options, ...keys },
    });
    const statusOf = async (id: string) =>
      (await db.selectFrom('appointments').where('id', '=', id).select('status').executeTakeFirstOrThrow())
        .status;
    try {
      await expect.poll(() => statusOf(due), { timeout: 60_000 }).toBe('cancelled');
      expect(await statusOf(coming)).toBe('pending');
    } finally {
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
