import { issueRequest } from './commands.ts';
import { settingsOn } from '#/features/settings/contract.test.cases.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Cases, Refused, NamesBy } from '../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { server, admin, call, newClient, newProvider, freeStarts, newest } = stage;
  const { settingsVersion } = settingsOn(stage);

  async function request({ email }: { email: string }) {
    await call(admin, 'settings.save', {
      version: await settingsVersion(),
      change: { allowGuestBooking: true },
    });
    const whom = await newProvider();
    const [startsAt] = await freeStarts(server.guest, whom);
    const contact = { name: 'Boaz Field', email, phone: '+1 617 555 0100' };
    return { idempotencyKey: newId(), providerId: whom.id, startsAt, contact };
  }

  async function requested() {
    const by = await newClient();
    const input = await request(by);
    await call(server.guest, 'guestBooking.ask', input);
    const job = server.database.as({ kind: 'job', name: 'mails' });
    const issued = await transact(job, (tx) => issueRequest(tx, input.idempotencyKey));
    return { by, requestId: input.idempotencyKey, token: issued!.token };
  }

  return {
    'guestBooking.ask': async () => {
      const input = await request({ email: `${newId()}@guests.example` });
      return { by: server.guest, input, about: input.idempotencyKey };
    },
    'guestBooking.read': async () => {
      const { token } = await requested();
      return { by: server.guest, input: { token } };
    },
    'guestBooking.confirm': async () => {
      const { by, token, requestId } = await requested();
      const input = { token, startsAt: undefined };
      return { by, input, about: async () => [await newest('bookings'), requestId] };
    },
  };
}

export const withoutSubject: NamesBy = {
  'it is about somebody without an account': [
    'booking.request_confirmed',
    'booking.request_opened',
    'booking.requested',
  ],
};

/** Not an offered length. */
export const refused: Refused = { 'guestBooking.ask': { durationMinutes: [37] } };

export const updates: NamesBy = {
  'booking.changed other self': ['guestBooking.confirm'],
};

export const jobs: NamesBy = {
  'notifications.requested': ['guestBooking.ask'],
  'notifications.booked': ['guestBooking.confirm'],
};
