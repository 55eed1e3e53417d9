import { selfOf } from '#/features/access/rules.ts';
import { expect, test } from 'vitest';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { connect } from '#/platform/db/database.ts';
import { transact } from '#/platform/db/transact.ts';
import { block } from '#/features/availability/blocks/commands.ts';
import { saveWeek, setWeeklyHours } from '#/features/availability/week/commands.ts';
import { setDates } from '#/features/availability/dates/commands.ts';
import { defaultWeek } from '#/features/availability/rules.ts';
import { noTerms } from '#/features/availability/terms/rules.ts';
import { bookInputFor } from '../../../../tests/support/booking.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { addClients, addProvider, sixtyMinutes, type Person } from '../../../../tests/support/people.ts';
import { proving } from '../../../../tests/support/prove.ts';
import { book } from '../booking/commands.ts';
import { ownClashes } from './queries.ts';
import { blockedConnections } from '../../../../tests/support/locks.ts';

const { db, as, url } = await testDatabase({ now: '2026-02-16T12:00:00Z', poolSize: 10 });
// A second pool simulates a second server process.
const second = connect(url, 10);
const service = await sixtyMinutes(db);
const monday = '2026-02-23';

const elsewhere = (person: Person): Ctx => ({ ...as(person), db: second.db });

function wish(provider: Person) {
  return bookInputFor(provider.id, service, `${monday}T15:00:00Z`, {
    sessionType: 'phone',
    sessions: 2,
    contact: { name: 'Ruth', email: 'ruth@people.example', phone: '+1 617 555 0100' },
    timeZone: 'America/New_York',
  });
}

const rounds = proving ? 60 : 6;

/** Provider edits that remove the time clients are booking. */
const edits: [string, string, (ctx: Ctx) => Promise<unknown>][] = [
  [
    'other hours',
    'outside_hours',
    (ctx) =>
      saveWeek(ctx, selfOf(ctx), {
        version: 1,
        timeZone: 'America/New_York',
        weekly: [{ weekday: 1, from: '14:00', to: '19:00', placeId: null }],
        terms: noTerms,
        rest: { kind: 'none', place: null },
      }),
  ],
  [
    'a day off',
    'outside_hours',
    (ctx) => setDates(ctx, selfOf(ctx), { from: monday, windows: [], note: '' }),
  ],
  [
    'blocked time',
    'slot_taken',
    (ctx) =>
      block(ctx, selfOf(ctx), {
        startsAt: `${monday}T15:30:00Z`,
        endsAt: `${monday}T16:30:00Z`,
        note: '',
      }),
  ],
];

test.each(edits)(
  'lists or refuses every booking made during a provider’s edit: %s',
  async (_, refusal, edit) => {
    const seen = { won: 0, refused: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const provider = await addProvider(db, { week: defaultWeek });
      const clients = await addClients(db, 2);
      // Runs the edit first, then last, then concurrently.
      const edited = round === 0 ? edit(elsewhere(provider)) : null;
      await edited;
      const attempts = clients.map((client) => book(as(client), wish(provider)));
      if (round === 1) await Promise.allSettled(attempts);
      const [changed, ...bookings] = await Promise.allSettled([
        edited ?? edit(elsewhere(provider)),
        ...attempts,
      ]);
      expect(changed).toMatchObject({ status: 'fulfilled' });
      const won = bookings.filter(({ status }) => status === 'fulfilled');
      expect(won.length).toBeLessThanOrEqual(1);
      for (const booking of bookings) {
        if (booking.status === 'fulfilled') continue;
        expect(booking.reason).toBeInstanceOf(AppError);
        expect([refusal, 'slot_taken']).toContain((booking.reason as AppError).reason);
      }
      const held = await db
        .selectFrom('appointments')
        .select('id')
        .where('provider_id', '=', provider.id)
        .where('status', '=', 'confirmed')
        .execute();
      expect(held).toHaveLength(won.length);
      // Bookings made before the edit become clashes for the provider to resolve.
      expect((await ownClashes(as(provider), selfOf(as(provider)))).count).toBe(won.length);
      seen[won.length === 1 ? 'won' : 'refused'] += 1;
      // Bookings after the edit fail with an `AppError`.
      await expect(book(as(clients[0]!), wish(provider))).rejects.toBeInstanceOf(AppError);
    }
    expect(seen.won).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  },
);

test('rejects bookings based on hours that changed before the diary lock', async () => {
  const provider = await addProvider(db);
  const [client] = await addClients(db, 1);
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const { promise: isChanged, resolve: changed } = Promise.withResolvers<void>();
  const edit = transact({ ...as(provider), db: second.db }, async (tx) => {
    await setWeeklyHours(tx, provider.id, []);
    changed();
    await mayCommit;
  });
  await isChanged;
  // The booking reads availability before the edit commits, then waits for the diary lock.
  const booking = book(as(client!), wish(provider));
  const outcome = Promise.allSettled([booking]);
  await expect.poll(() => blockedConnections(db)).toBe(1);
  commit();
  await edit;
  expect(await outcome).toMatchObject([{ status: 'rejected', reason: { reason: 'outside_hours' } }]);
});
