import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { acceptedInputs, procedures, requestOf, type Procedure } from '../support/procedures.ts';
import { castOf, problemIn, storedIn, testServer, type Cast, type Visitor } from '../support/server.ts';

/** Guests may use the session's page and room, and withdraw. */
const isTheirs = (name: string) => name.startsWith('video.') || name === 'attendees.leave';

const server = await testServer();
const { db } = server.database;
let cast: Cast;
let accepted: ReturnType<typeof acceptedInputs>;
/** A client and a specialist who accepted invitations. */
let guests: readonly [who: string, visitor: Visitor][];

beforeAll(async () => {
  cast = await castOf(server);
  accepted = acceptedInputs(cast);
  guests = [
    ['a client', cast.otherClient],
    ['a specialist', cast.otherProvider],
  ];
  const { starts_at, ends_at } = await db
    .selectFrom('appointments')
    .select(['starts_at', 'ends_at'])
    .where('id', '=', cast.appointmentId)
    .executeTakeFirstOrThrow();
  for (const [name, visitor] of guests) {
    const { json } = await visitor.send('GET', '/api/me');
    const person_id = (json as { id: string }).id;
    const at = new Date('2026-01-01T00:00:00Z');
    await db
      .insertInto('session_guests')
      .values({
        id: newId(),
        appointment_id: cast.appointmentId,
        name,
        email: `${person_id}@guests.example`,
        token_hash: newId(),
        told_start: starts_at,
        state: 'accepted',
        person_id,
        invited_at: at,
        sends: 1,
        sent_at: at,
        answered_at: at,
      })
      .execute();
    await db
      .insertInto('participants')
      .values({ appointment_id: cast.appointmentId, person_id, starts_at, ends_at, held: true })
      .execute();
  }
});

const ofAppointments = procedures.filter(
  ({ name, input }) =>
    input && ('appointmentId' in input.shape || 'moving' in input.shape) && !isTheirs(name),
);

test.each(ofAppointments.map((procedure): [string, Procedure] => [procedure.name, procedure]))(
  '%s refuses a session’s guest as if it were missing',
  async (name, procedure) => {
    const before = await storedIn(server.database);
    const input = accepted[name]!;
    const missing = newId();
    const elsewhere =
      'moving' in input ? { ...input, moving: missing } : { ...input, appointmentId: missing };
    for (const [who, visitor] of guests) {
      const own = problemIn(await visitor.send(...requestOf(procedure, input)));
      const absent = problemIn(await visitor.send(...requestOf(procedure, elsewhere)));
      expect(['not_found', 'forbidden'], `${who}: ${own.code}`).toContain(own.code);
      expect({ ...own, requestId: '' }, who).toEqual({ ...absent, requestId: '' });
    }
    expect(await storedIn(server.database)).toEqual(before);
  },
);

describe('a guest', () => {
  test('finds the session only in their invitations', async () => {
    const all = 'from=2000-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    for (const [who, visitor] of guests) {
      const mine = (await visitor.send('GET', '/api/guest-sessions')).json as { appointmentId: string }[];
      expect(
        mine.map(({ appointmentId }) => appointmentId),
        who,
      ).toEqual([cast.appointmentId]);
      expect((await visitor.send('GET', `/api/appointments?${all}`)).json, who).toEqual([]);
      for (const hidden of ['price', '@', 'Weiss', '+1 555', cast.clientId])
        expect(JSON.stringify(mine), who).not.toContain(hidden);
    }
  });

  test('isn’t listed as the client’s or the specialist’s', async () => {
    const clients = await cast.otherProvider.send('POST', '/api/clients/search', {
      body: { order: 'last' },
    });
    expect(JSON.stringify(clients.json)).not.toContain(cast.clientId);
    const client = await cast.otherProvider.send('GET', `/api/clients/${cast.clientId}`);
    expect(client.status).toBe(404);
  });
});
