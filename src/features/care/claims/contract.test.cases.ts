import { issueClaim } from '#/features/care/claims/commands.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Cases, NamesBy } from '../../../../tests/support/contract-cases.ts';
import type { Stage } from '../../../../tests/support/stage.ts';

export function claimsOn(stage: Stage) {
  const { server, client, call, newProvider, freeStarts } = stage;

  /** A client added and invited by their own provider. */
  async function caller() {
    const by = await newProvider();
    const [startsAt] = await freeStarts(client, by);
    const email = `${newId()}@callers.example`;
    const input = {
      idempotencyKey: newId(),
      startsAt,
      sessionType: 'online',
      recurrence: 'one_time',
      client: { name: 'Boaz Field', email },
    };
    const { clientId } = await call<{ clientId: string }>(by, 'care.records.book', input);
    const job = server.database.as({ kind: 'job', name: 'mails' });
    const issued = await transact(job, (tx) => issueClaim(tx, clientId));
    return { by, clientId, token: issued!.token };
  }

  return { caller };
}

export function cases(stage: Stage): Cases {
  const { server } = stage;
  const { caller } = claimsOn(stage);
  return {
    'care.claims.read': async () => ({ by: server.guest, input: { token: (await caller()).token } }),
    'care.claims.accept': async () => {
      const { token, clientId } = await caller();
      return { by: server.guest, input: { token }, about: clientId };
    },
    'care.claims.decline': async () => {
      const { token, clientId } = await caller();
      return { by: server.guest, input: { token }, about: clientId };
    },
  };
}

export const withoutSubject: NamesBy = {
  'it is about somebody without an account': ['care.client_declined'],
};

export const updates: NamesBy = {
  'booking.changed other': ['care.claims.accept', 'care.claims.decline'],
};
