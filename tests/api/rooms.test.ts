import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId, systemNow } from '#/platform/clock.ts';
import { eventually, openLine, type Line } from '../support/lines.ts';
import { addClient, addProvider, type Person } from '../support/people.ts';
import { addGuest, agree, enter, refusedLast } from '../support/rooms.ts';
import { problemIn, storedIn, testServer, type Visitor } from '../support/server.ts';
import { addSession } from '../support/sessions.ts';

const server = await testServer();
const { db } = server.database;

interface Asker {
  who: string;
  person: Person;
  visitor: Visitor;
  line: Line;
}

let client: Asker;
let provider: Asker;
let guest: Asker;
/** People outside the session. */
let strangers: Asker[];
let sessionId: string;
let guestId: string;

const minutesFromNow = (minutes: number) =>
  systemNow()
    .add({ seconds: Math.round(minutes * 60) })
    .round('second')
    .toString();

async function asker(who: string, person: Person): Promise<Asker> {
  const visitor = await server.signIn(person);
  const line = await openLine(person, `ws://127.0.0.1:${server.port}/realtime`, {
    cookie: visitor.cookie,
    origin: server.config.appUrl,
  });
  return { who, person, visitor, line };
}

beforeAll(async () => {
  client = await asker('the client', await addClient(db));
  provider = await asker('the provider', await addProvider(db));
  guest = await asker('the guest', await addClient(db));
  const chief = await addClient(db);
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
  strangers = [
    await asker('an administrator', chief),
    await asker('another client', await addClient(db)),
    await asker('another provider', await addProvider(db)),
    await asker('a guest of another session', await addClient(db)),
    await asker('a guest who was withdrawn', await addClient(db)),
  ];
  sessionId = await addSession(db, {
    client: client.person,
    provider: provider.person,
    start: minutesFromNow(-5),
    status: 'confirmed',
  });
  await agree(db, sessionId, client.person.id);
  guestId = await addGuest(db, { appointmentId: sessionId, personId: guest.person.id, name: 'Ruth' });
  const elsewhere = await addSession(db, {
    client: await addClient(db),
    provider: strangers[2]!.person,
    start: minutesFromNow(-5),
    status: 'confirmed',
  });
  await addGuest(db, { appointmentId: elsewhere, personId: strangers[3]!.person.id, name: 'Boaz' });
  const withdrawn = await addGuest(db, {
    appointmentId: sessionId,
    personId: strangers[4]!.person.id,
    name: 'Orpah',
  });
  await db.updateTable('session_guests').set({ state: 'withdrawn' }).where('id', '=', withdrawn).execute();
});

/** Every procedure of a room. */
const calls = (id: string, personId: string) =>
  [
    ['GET', `/api/sessions/${id}`, {}],
    ['GET', `/api/sessions/${id}/room`, {}],
    ['GET', `/api/sessions/${id}/ice-servers`, {}],
    ['POST', `/api/sessions/${id}/admit`, { body: { personId } }],
    ['POST', `/api/sessions/${id}/end`, { body: {} }],
  ] as const;

/** Sends a frame and returns its refusal; fails if accepted. */
async function refusedBy(line: Line, said: Record<string, unknown>): Promise<string> {
  const before = line.received.length;
  line.say(said);
  await eventually(() => line.received.slice(before).some(({ type }) => type === 'refused')).toBe(true);
  return refusedLast(line)!;
}

describe('a room with outsiders', () => {
  const mark = 'zq7-what-browsers-say-to-each-other';
  let peers: { client: string; provider: string };

  beforeAll(async () => {
    peers = { client: await enter(client.line, sessionId), provider: await enter(provider.line, sessionId) };
    await provider.visitor.send(...calls(sessionId, client.person.id)[3]);
  });

  test('admits its two parties and guest as allowed', async () => {
    const said = { type: 'room.signal', appointmentId: sessionId, to: peers.provider };
    client.line.say({ ...said, signal: { description: mark } });
    await eventually(() => JSON.stringify(provider.line.received)).toContain(mark);
    for (const { who, visitor, person } of [client, provider, guest]) {
      const answers = [];
      for (const [method, path, sent] of calls(sessionId, person.id).slice(0, 3))
        answers.push(await visitor.send(method, path, sent));
      expect(
        answers.map(({ status }) => status),
        who,
      ).toEqual([200, 200, 200]);
      expect(answers[2]!.json).toEqual([]);
    }
    for (const { visitor } of [client, guest]) {
      for (const [method, path, sent] of calls(sessionId, guest.person.id).slice(3)) {
        expect(problemIn(await visitor.send(method, path, sent)).code).toBe('forbidden');
      }
    }
  });

  test('answers strangers as if missing, for every procedure', async () => {
    const before = await storedIn(server.database);
    for (const { who, visitor } of strangers) {
      const there = calls(sessionId, client.person.id);
      const absent = calls(newId(), client.person.id);
      for (const [index, [method, path, sent]] of there.entries()) {
        const found = problemIn(await visitor.send(method, path, sent));
        const missed = problemIn(await visitor.send(method, absent[index]![1], sent));
        expect({ ...found, requestId: '' }, `${who}: ${path}`).toEqual({ ...missed, requestId: '' });
        const clientsOnly = method === 'POST' && who !== 'another provider';
        expect(found.code, `${who}: ${path}`).toBe(
          who === 'an administrator' || clientsOnly ? 'forbidden' : 'not_found',
        );
      }
    }
    for (const [method, path, sent] of calls(sessionId, client.person.id)) {
      expect(problemIn(await server.guest.send(method, path, sent)).code).toBe('unauthenticated');
    }
    expect(await storedIn(server.database)).toEqual(before);
  });

  test('answers strangers as if missing, for every frame, without effect', async () => {
    const before = await storedIn(server.database);
    for (const { who, line } of strangers) {
      const isAdmin = who === 'an administrator';
      for (const id of [sessionId, newId()]) {
        expect(await refusedBy(line, { type: 'room.enter', appointmentId: id }), who).toBe(
          isAdmin ? 'forbidden capability_missing' : 'not_found appointment',
        );
        for (const to of [peers.client, peers.provider]) {
          expect(
            await refusedBy(line, { type: 'room.signal', appointmentId: id, to, signal: { candidate: 1 } }),
            who,
          ).toBe(isAdmin ? 'forbidden capability_missing' : 'conflict not_in_room');
        }
        line.say({ type: 'room.leave', appointmentId: id });
        await refusedBy(line, { type: 'room.leave', appointmentId: 'x' });
      }
    }
    expect(await storedIn(server.database)).toEqual(before);
  });

  test('opens no socket for guests or other sites', async () => {
    const address = `ws://127.0.0.1:${server.port}/realtime`;
    const { appUrl } = server.config;
    const { cookie } = client.visitor;
    await expect(openLine(client.person, address, { origin: appUrl })).rejects.toThrow('401');
    await expect(
      openLine(client.person, address, { cookie, origin: 'https://evil.example' }),
    ).rejects.toThrow('403');
  });

  test('sends strangers nothing, ignoring requested topics', async () => {
    for (const { line } of strangers) {
      line.say({ type: 'subscribe', topics: [`room:${sessionId}`, `peer:${peers.client}`] });
      line.say({ type: 'room.enter', appointmentId: sessionId, topics: [`peer:${peers.client}`] });
    }
    client.line.say({ type: 'room.signal', appointmentId: sessionId, to: peers.provider, signal: { n: 2 } });
    await eventually(() => JSON.stringify(provider.line.received)).toContain('"n":2');
    await enter(guest.line, sessionId);
    for (const { who, line } of strangers) {
      expect(
        line.received.filter(({ type }) => type !== 'refused'),
        who,
      ).toEqual([]);
      expect(JSON.stringify(line.received)).not.toContain(mark);
    }
  });

  test('tells waiting people that something changed, not what', async () => {
    const { json } = await guest.visitor.send('GET', `/api/sessions/${sessionId}/room`);
    expect(json).toEqual({ admitted: false, providerHere: true, peers: [] });
    for (const to of [peers.client, peers.provider]) {
      const signal = { type: 'room.signal', appointmentId: sessionId, to, signal: 1 };
      expect(await refusedBy(guest.line, signal)).toBe('not_found peer');
    }
    expect(guest.line.received.map(({ type }) => type)).not.toContain('room.signal');
  });

  test('stores and logs no signals between browsers', async () => {
    const { rows } = await sql`
      select table_name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE'
         and query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text
             like ${`%${mark}%`}`.execute(db);
    expect(rows).toEqual([]);
    expect(server.log.join('\n')).not.toContain(mark);
    expect(server.log.join('\n')).not.toContain('a frame failed');
  });

  test('treats a withdrawn guest as a stranger', async () => {
    await db.updateTable('session_guests').set({ state: 'withdrawn' }).where('id', '=', guestId).execute();
    for (const [method, path, sent] of calls(sessionId, client.person.id).slice(0, 3)) {
      expect(problemIn(await guest.visitor.send(method, path, sent)).code).toBe('not_found');
    }
    const signal = { type: 'room.signal', appointmentId: sessionId, to: peers.client, signal: 1 };
    expect(await refusedBy(guest.line, signal)).toBe('conflict not_in_room');
    expect(await refusedBy(guest.line, { type: 'room.enter', appointmentId: sessionId })).toBe(
      'not_found appointment',
    );
  });
});

test.each([
  ['early', { startsIn: 11, status: 'confirmed' }],
  ['over', { startsIn: -76, status: 'confirmed' }],
  ['cancelled', { startsIn: -5, status: 'cancelled' }],
  ['cancelled', { startsIn: -5, status: 'no_show' }],
  ['unconfirmed', { startsIn: 5, status: 'pending' }],
  ['ended', { startsIn: -5, status: 'completed' }],
  ['ended', { startsIn: -5, status: 'confirmed', ended: true }],
  ['consent_missing', { startsIn: -5, status: 'confirmed', agreed: false }],
] as const)('closes a room that is %s: %j', async (word, shut) => {
  const asked = [await asker('client', await addClient(db)), await asker('guest', await addClient(db))];
  const leader = await asker('provider', await addProvider(db));
  const id = await addSession(db, {
    client: asked[0]!.person,
    provider: leader.person,
    start: minutesFromNow(shut.startsIn),
    status: 'confirmed',
  });
  await addGuest(db, { appointmentId: id, personId: asked[1]!.person.id, name: 'Ruth', agreed: false });
  if (!('agreed' in shut)) for (const { person } of asked) await agree(db, id, person.id);
  await db.updateTable('appointments').set({ status: shut.status }).where('id', '=', id).execute();
  if ('ended' in shut) {
    const ended_at = new Date(systemNow().epochMilliseconds);
    await db.insertInto('video_rooms').values({ appointment_id: id, ended_at, ended_by: null }).execute();
  }
  const before = await storedIn(server.database);
  // Missing consent blocks only the people it's missing from.
  for (const { who, visitor, line } of word === 'consent_missing' ? asked : [...asked, leader]) {
    const [page, room, ice] = await Promise.all(
      calls(id, asked[0]!.person.id)
        .slice(0, 3)
        .map(([method, path, sent]) => visitor.send(method, path, sent)),
    );
    expect(page!.json, who).toMatchObject({ refusal: word, phone: { number: null } });
    expect(room!.json, who).toEqual({ admitted: false, providerHere: false, peers: [] });
    expect(problemIn(ice!), who).toMatchObject({ code: 'precondition', reason: word });
    expect(await refusedBy(line, { type: 'room.enter', appointmentId: id }), who).toBe(
      `precondition ${word}`,
    );
    const signal = { type: 'room.signal', appointmentId: id, to: newId(), signal: 1 };
    expect(await refusedBy(line, signal), who).toBe('conflict not_in_room');
  }
  const admission = calls(id, asked[0]!.person.id)[3];
  for (const { visitor } of word === 'consent_missing' ? [] : [leader]) {
    const admitted = await visitor.send(...admission);
    expect(problemIn(admitted)).toMatchObject({ code: 'precondition', reason: word });
  }
  expect(await storedIn(server.database)).toEqual(before);
  for (const { line } of [...asked, leader]) await line.close();
});
