import { claimsOn } from '#/features/care/claims/contract.test.cases.ts';
import { newId } from '#/platform/clock.ts';
import type { Cases, NamesBy, Refused } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function cases(stage: Stage): Cases {
  const { cast, provider, client, call, newProvider, freeStarts } = stage;
  const { caller } = claimsOn(stage);
  return {
    'care.clients.list': async () => ({ by: provider }),
    'care.clients.get': async () => ({ by: { ...cast.provider, id: cast.providerId }, about: cast.clientId }),
    'care.records.book': async () => {
      const by = await newProvider();
      const [startsAt] = await freeStarts(client, by);
      return {
        by,
        input: { startsAt, sessionType: 'online', idempotencyKey: newId() },
        about: async (made) => {
          const [person, booking] = [String(made.clientId), String(made.bookingId)];
          return [person, person, booking];
        },
      };
    },
    'care.records.change': async () => {
      const { by, clientId } = await caller();
      return { by, input: { clientId }, about: clientId };
    },
    'care.records.invite': async () => {
      const { by, clientId } = await caller();
      const email = `${newId()}@callers.example`;
      await call(by, 'care.records.change', { clientId, email });
      return { by, input: { clientId }, about: clientId };
    },
  };
}

export const withoutSubject: NamesBy = {
  'it is about somebody without an account': ['care.client_invited', 'care.client_record_changed'],
};

export const refused: Refused = { 'care.records.book': { durationMinutes: [37] } };

export const updates: NamesBy = {
  'booking.changed other self': ['care.records.book'],
  'booking.changed self': ['care.records.change'],
};

export const jobs: NamesBy = {
  'notifications.booked': ['care.records.book'],
  'notifications.client-invited': ['care.records.book', 'care.records.invite'],
};
