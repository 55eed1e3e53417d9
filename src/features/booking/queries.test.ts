import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { addClient, addProvider, sixtyMinutes } from '../../../tests/support/people.ts';
import { book } from './commands.ts';
import { bookInput } from './contract.ts';
import { cancel } from './life-cycle/commands.ts';
import { myAppointments, selfOf } from './queries.ts';

const { db, as } = await testDatabase({ now: '2026-02-16T12:00:00Z' });

test('own appointments come by start in either order, of one status where it is named, and never another’s', async () => {
  const serviceId = await sixtyMinutes(db);
  const [client, other, provider] = [await addClient(db), await addClient(db), await addProvider(db)];
  const start = async (who: typeof client, startsAt: string) => {
    const booked = await book(
      as(who),
      bookInput.parse({
        idempotencyKey: newId(),
        providerId: provider.id,
        serviceId,
        startsAt,
        durationMinutes: 60,
        sessionType: 'online',
        contact: { name: 'Ruth', email: 'ruth@people.example' },
        timeZone: 'America/Chicago',
      }),
    );
    return booked.appointments[0]!.id;
  };
  const first = await start(client, '2026-02-23T15:00:00Z');
  const second = await start(client, '2026-02-24T15:00:00Z');
  const third = await start(client, '2026-02-25T15:00:00Z');
  const foreign = await start(other, '2026-02-26T15:00:00Z');
  await cancel(as(client), second);

  const span = { from: '2026-02-20T00:00:00Z', to: '2026-03-01T00:00:00Z', limit: 50 };
  const ids = async (who: typeof client, more: Partial<Parameters<typeof myAppointments>[2]> = {}) =>
    (await myAppointments(as(who), selfOf(as(who)), { ...span, ...more })).map(({ id }) => id);
  expect(await ids(client)).toEqual([first, second, third]);
  expect(await ids(client, { order: 'descending', limit: 2 })).toEqual([third, second]);
  expect(await ids(client, { status: 'confirmed' })).toEqual([first, third]);
  expect(await ids(client, { status: 'cancelled' })).toEqual([second]);
  expect(await ids(provider, { status: 'confirmed', order: 'descending' })).toEqual([foreign, third, first]);
});
