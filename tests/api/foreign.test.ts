import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { castOf, problemIn, testServer, type Cast } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;
let cast: Cast;
let noteId: string;
let blockId: string;

beforeAll(async () => {
  cast = await castOf(server);
  const { json } = await cast.provider.send('POST', `/api/clients/${cast.clientId}/notes`, {
    body: { text: 'Words' },
  });
  noteId = (json as { id: string }).id;
  const blocked = await cast.provider.send('POST', '/api/me/availability/blocks', {
    body: {
      startsAt: cast.freeStart,
      endsAt: Temporal.Instant.from(cast.freeStart).add({ hours: 1 }).toString(),
    },
  });
  blockId = (blocked.json as { id: string }).id;
});
beforeEach(async () => {
  await db.deleteFrom('rate_limits').where('key', 'like', 'refused:%').execute();
});

/** Refusals logged while `work` runs. */
async function refused(work: () => Promise<unknown>) {
  const before = new Set((await entries()).map(({ id }) => id));
  await work();
  return (await entries()).filter(({ id }) => !before.has(id)).map(({ id: _id, ...entry }) => entry);
}

function entries() {
  return db
    .selectFrom('audit_entries')
    .select(['id', 'actor_kind', 'action', 'category', 'success', 'details'])
    .where('action', 'like', 'refused.%')
    .orderBy('id')
    .execute();
}

describe('another provider’s data', () => {
  test.each([
    ['an appointment', 'GET', () => `/appointments/${cast.appointmentId}`, 'appointments.get', 'appointment'],
    [
      'its confirmation',
      'POST',
      () => `/appointments/${cast.appointmentId}/confirm`,
      'appointments.confirm',
      'appointment',
    ],
    ['its times to move to', 'GET', () => moving(), 'appointments.freeStarts', 'appointment'],
    ['a client', 'GET', () => `/clients/${cast.clientId}`, 'care.clients.get', 'client'],
    [
      'their sessions',
      'GET',
      () => `/clients/${cast.clientId}/sessions?part=past`,
      'care.clients.sessions',
      'client',
    ],
    [
      'their goals',
      'GET',
      () => `/clients/${cast.clientId}/goals?state=open`,
      'growth.sharing.goals',
      'client',
    ],
    [
      'their progress',
      'GET',
      () => `/clients/${cast.clientId}/progress`,
      'growth.sharing.progress',
      'client',
    ],
    ['notes about them', 'GET', () => `/clients/${cast.clientId}/notes`, 'care.notes.list', 'client'],
    [
      'private notes about them',
      'GET',
      () => `/clients/${cast.clientId}/private-notes`,
      'care.privateNotes.list',
      'client',
    ],
    ['a block', 'POST', () => `/me/availability/blocks/${blockId}/remove`, 'availability.unblock', 'block'],
    ['a note', 'POST', () => `/notes/${noteId}/remove`, 'care.notes.remove', 'note'],
    ['a private note', 'POST', () => `/private-notes/${noteId}/remove`, 'care.privateNotes.remove', 'note'],
    [
      'an answer to a review',
      'POST',
      () => `/reviews/${cast.appointmentId}/reply/withdraw`,
      'reviews.replies.withdraw',
      'reply',
    ],
  ] as const)('returns not_found and is logged: %s', async (_, method, path, procedure, reason) => {
    const found = await refused(async () => {
      const answer = await cast.otherProvider.send(
        method,
        `/api${path()}`,
        method === 'POST' ? { body: {} } : {},
      );
      expect(problemIn(answer)).toMatchObject({ code: 'not_found', reason });
    });
    expect(found).toEqual([
      {
        actor_kind: 'person',
        action: `refused.${procedure}`,
        category: 'security',
        success: false,
        details: { reason },
      },
    ]);
  });

  function moving(): string {
    const day = cast.freeStart.slice(0, 10);
    const span = `from=${day}T00:00:00Z&to=${day}T23:00:00Z&durationMinutes=60`;
    return `/specialists/${cast.providerId}/free-starts?${span}&moving=${cast.appointmentId}`;
  }
});

test('logs missing data alike, recording attempts but not existence', async () => {
  const found = await refused(() => cast.otherProvider.send('GET', `/api/clients/${newId()}`));
  expect(found).toMatchObject([{ action: 'refused.care.clients.get', details: { reason: 'client' } }]);
});

test('logs nothing for guests, paths without ids or disabled features', async () => {
  const found = await refused(async () => {
    expect((await server.guest.send('GET', `/api/specialists/${newId()}`)).status).toBe(404);
    expect((await server.guest.send('GET', `/api/resources/${newId()}`)).status).toBe(404);
    expect((await cast.client.send('GET', '/api/services/no-such-service')).status).toBe(404);
    expect((await cast.client.send('GET', '/api/no/such/thing')).status).toBe(404);
    await db
      .updateTable('feature_flags')
      .set({ enabled: false })
      .where('id', '=', 'wellness_tracking')
      .execute();
    expect((await cast.client.send('POST', `/api/goals/${newId()}/remove`, { body: {} })).status).toBe(404);
    await db
      .updateTable('feature_flags')
      .set({ enabled: true })
      .where('id', '=', 'wellness_tracking')
      .execute();
  });
  expect(found).toEqual([]);
});

test('logs at most sixty attempts an hour per person', async () => {
  const found = await refused(async () => {
    for (let attempt = 0; attempt < 70; attempt++)
      expect((await cast.otherClient.send('GET', `/api/appointments/${newId()}`)).status).toBe(404);
  });
  expect(found).toHaveLength(60);
});
