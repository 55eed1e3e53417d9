import { newId } from '#/platform/clock.ts';
import type { Cases, Refused, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { db, provider, call, newClient, inHours, booked, newest } = stage;

  /** A wait for Sunday, when no provider works. */
  async function waiting() {
    const one = await booked();
    const { id: waitId } = await call(one.client, 'waitlist.ask', {
      ...sundays,
      providerId: one.provider.id,
      sessionType: 'online',
    });
    return { ...one, waitId };
  }

  async function offered() {
    const one = await waiting();
    const offerId = newId();
    await db
      .insertInto('wait_offers')
      .values({
        id: offerId,
        wait_id: one.waitId,
        starts_at: new Date(one.other),
        offered_at: new Date(),
        deadline: new Date(inHours(4)),
        state: 'open',
      })
      .execute();
    return { ...one, offerId };
  }

  const sundays = { weekdays: [7], untilDate: inHours(24 * 20).slice(0, 10) };

  return {
    'waitlist.joinEarlier': async () => {
      const { client: by, appointmentId } = await booked();
      return { by, input: { ...sundays, appointmentId } };
    },
    'waitlist.ask': async () => {
      const by = await newClient();
      return { by, input: { ...sundays, providerId: provider.id, sessionType: 'online' } };
    },
    'waitlist.leave': async () => {
      const { client: by, waitId } = await waiting();
      return { by, input: { waitId }, about: waitId };
    },
    'waitlist.take': async () => {
      const { client: by, waitId, offerId } = await offered();
      return { by, input: { offerId }, about: async () => [await newest('bookings'), waitId] };
    },
    'waitlist.pass': async () => {
      const { client: by, waitId, offerId } = await offered();
      return { by, input: { offerId }, about: waitId };
    },
  };
}

export const refused: Refused = { 'waitlist.ask': { durationMinutes: [37] } };

export const updates: NamesBy = {
  'waitlist.changed other self': [
    'waitlist.joinEarlier',
    'waitlist.ask',
    'waitlist.leave',
    'waitlist.take',
    'waitlist.pass',
  ],
  'booking.changed other self': ['waitlist.take'],
};

export const jobs: NamesBy = {
  'waitlist.turn': ['waitlist.leave', 'waitlist.pass'],
  'notifications.booked': ['waitlist.take'],
  'waitlist.booked': ['waitlist.take'],
};
