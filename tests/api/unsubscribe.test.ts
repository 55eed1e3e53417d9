import { expect, test } from 'vitest';
import { unsubscribeLinks } from '#/features/notifications/unsubscribe/commands.ts';
import { addClient } from '../support/people.ts';
import { problemIn, storedIn, testServer, type Sent } from '../support/server.ts';

const server = await testServer();
const { db } = server.database;
const parts = { appUrl: server.config.appUrl, secret: server.config.authSecret };
const oneClick: Sent = {
  origin: null,
  body: 'List-Unsubscribe=One-Click',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
};

/** A subscriber to both email types, with unsubscribe paths. */
async function reader() {
  const person = await addClient(db);
  await db
    .updateTable('profiles')
    .set({ daily_devotionals: true, community_updates: true })
    .where('id', '=', person.id)
    .execute();
  const pathOf = (kind: 'devotional' | 'community') =>
    unsubscribeLinks(parts, kind, person.id).oneClick.slice(parts.appUrl.length);
  const wishes = () =>
    db
      .selectFrom('profiles')
      .select(['daily_devotionals', 'community_updates', 'session_reminders'])
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
  return {
    person,
    pathOf,
    wishes,
    tokenOf: (kind: 'devotional' | 'community') => pathOf(kind).split('token=')[1]!,
  };
}

test('stops one kind of email by one click without cookie or origin, and logs it', async () => {
  const { person, pathOf, wishes } = await reader();
  const answer = await server.guest.send('POST', pathOf('devotional'), oneClick);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(await wishes()).toEqual({
    daily_devotionals: false,
    community_updates: true,
    session_reminders: true,
  });
  // Unsubscribing twice changes nothing.
  expect((await server.guest.send('POST', pathOf('devotional'), oneClick)).status).toBe(204);
  const entries = await db
    .selectFrom('audit_entries')
    .select(['actor_kind', 'details'])
    .where('subject_id', '=', person.id)
    .where('action', '=', 'preferences_changed')
    .orderBy('id')
    .execute();
  expect(entries).toEqual([
    { actor_kind: 'guest', details: { daily_devotionals: 'on → off', by: 'mailed_link' } },
  ]);
});

test('accepts multipart fields, as RFC 8058 allows', async () => {
  const { pathOf, wishes } = await reader();
  const body = '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await server.guest.send('POST', pathOf('community'), { origin: null, body, headers })).status).toBe(
    204,
  );
  expect(await wishes()).toMatchObject({ daily_devotionals: true, community_updates: false });
});

test('changes nothing when a link is only opened, and leads to the confirmation page', async () => {
  const { pathOf, tokenOf, wishes } = await reader();
  const { status, headers } = await server.guest.send('GET', pathOf('devotional'));
  expect([status, headers.location]).toEqual([303, `/unsubscribe?token=${tokenOf('devotional')}`]);
  expect(await wishes()).toMatchObject({ daily_devotionals: true });
});

test('accepts only a valid token, from anyone', async () => {
  const { person, pathOf, tokenOf } = await reader();
  const other = await reader();
  const session = await server.signIn(person);
  const before = await storedIn(server.database);
  const proof = tokenOf('devotional').split('.')[2]!;
  const wrong = [
    '',
    'x',
    '..',
    `devotional.${person.id}.`,
    `devotional.${person.id}.${'A'.repeat(proof.length)}`,
    `devotional.${other.person.id}.${proof}`,
    `community.${person.id}.${proof}`,
    `session.${person.id}.${proof}`,
    `${tokenOf('devotional')}x`,
    `${tokenOf('devotional')}.x`,
    encodeURIComponent('\u0000'),
    encodeURIComponent('🙂'.repeat(proof.length)),
  ];
  for (const visitor of [server.guest, session]) {
    for (const token of wrong) {
      const answer = await visitor.send('POST', `/api/unsubscribe?token=${token}`, oneClick);
      expect(problemIn(answer).code, token).toBe('not_found');
    }
    for (const sent of [
      { origin: null },
      { ...oneClick, body: '' },
      { ...oneClick, body: 'List-Unsubscribe=Later' },
      { ...oneClick, body: `List-Unsubscribe=One-Click&x=${'x'.repeat(2_000)}` },
      {
        ...oneClick,
        headers: { 'content-type': 'application/json' },
        body: '{"List-Unsubscribe":"One-Click"}',
      },
    ] as Sent[]) {
      expect(problemIn(await visitor.send('POST', pathOf('devotional'), sent)).code).toBe('invalid');
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      expect((await visitor.send(method, pathOf('devotional'), oneClick)).status).toBe(404);
    }
  }
  expect(await storedIn(server.database)).toEqual(before);
  expect(server.log.filter((line) => line.includes('token') || line.includes('"level":50'))).toEqual([]);
});

test('rejects a proof with foreign letters by every method', async () => {
  const { person, tokenOf } = await reader();
  const before = await storedIn(server.database);
  const proof = tokenOf('community').split('.')[2]!;
  for (const letters of ['é', 'ж', '本', '😀']) {
    // Same length as a valid token, but more bytes.
    const token = `community.${person.id}.${letters}${proof.slice(letters.length)}`;
    const query = `?token=${encodeURIComponent(token)}`;
    for (const answer of [
      await server.guest.send('POST', `/api/unsubscribe${query}`, oneClick),
      await server.guest.send('GET', `/api/mail-choice${query}`),
      await server.guest.send('POST', '/api/mail-choice', { body: { token, on: false } }),
    ]) {
      expect(problemIn(answer), token).toMatchObject({ code: 'not_found', reason: 'mail_choice' });
    }
  }
  expect(await storedIn(server.database)).toEqual(before);
});

test('stops and restores emails on the confirmation page', async () => {
  const { tokenOf, wishes } = await reader();
  const token = tokenOf('community');
  expect((await server.guest.send('GET', `/api/mail-choice?token=${token}`)).json).toEqual({
    kind: 'community',
    on: true,
  });
  const set = (on: boolean) => server.guest.send('POST', '/api/mail-choice', { body: { token, on } });
  expect((await set(false)).json).toEqual({ kind: 'community', on: false });
  expect(await wishes()).toMatchObject({ daily_devotionals: true, community_updates: false });
  expect((await set(true)).json).toEqual({ kind: 'community', on: true });
  const foreign = { body: { token, on: false }, origin: 'https://evil.example' };
  expect(problemIn(await server.guest.send('POST', '/api/mail-choice', foreign)).reason).toBe(
    'foreign_origin',
  );
});

test('changes nothing for a deleted account', async () => {
  const { person, pathOf, tokenOf, wishes } = await reader();
  await db
    .updateTable('profiles')
    .set({ daily_devotionals: false, erased_at: new Date() })
    .where('id', '=', person.id)
    .execute();
  const asked = { token: tokenOf('devotional'), on: true };
  for (const answer of [
    await server.guest.send('GET', `/api/mail-choice?token=${asked.token}`),
    await server.guest.send('POST', '/api/mail-choice', { body: asked }),
    await server.guest.send('POST', pathOf('devotional'), oneClick),
  ])
    expect(problemIn(answer)).toMatchObject({ code: 'not_found', reason: 'mail_choice' });
  expect(await wishes()).toMatchObject({ daily_devotionals: false });
});
