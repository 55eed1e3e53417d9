import { expect, test } from 'vitest';
import { newId } from '#/platform/clock.ts';
import { complete } from '#/features/appointments/life-cycle/commands.ts';
import { testDatabase } from '../../../tests/support/database.ts';
import { eventually, openLines } from '../../../tests/support/lines.ts';
import { addClient, addProvider, type Person } from '../../../tests/support/people.ts';
import { refusalOf } from '../../../tests/support/refusal.ts';
import { addGuest, agree, changesOf, enter } from '../../../tests/support/rooms.ts';
import { addSession } from '../../../tests/support/sessions.ts';
import { admit, endRoom, deleteEndedRooms } from './commands.ts';
import { roomOf, sessionPage } from './queries.ts';

const start = '2026-03-02T15:00:00Z';
const database = await testDatabase();
const { db, as, setNow } = database;
const open = await openLines(database, 1);

async function session(more: { sessionType?: 'phone' | 'in-person' } = {}) {
  setNow(start);
  const [client, provider] = [await addClient(db), await addProvider(db)];
  const id = await addSession(db, { client, provider, start, status: 'confirmed' });
  if (more.sessionType) {
    await db
      .updateTable('appointments')
      .set({ session_type: more.sessionType })
      .where('id', '=', id)
      .execute();
  }
  return { client, provider, id };
}

async function withGuest(cast: Awaited<ReturnType<typeof session>>, agreed = true): Promise<Person> {
  const guest = await addClient(db);
  await agree(db, cast.id, cast.client.id);
  await addGuest(db, { appointmentId: cast.id, personId: guest.id, name: 'Ruth', agreed });
  return guest;
}

async function acts(id: string) {
  return db
    .selectFrom('audit_entries')
    .select(['action', 'details'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
}

async function setFlag(enabled: boolean): Promise<void> {
  await db.updateTable('feature_flags').set({ enabled }).where('id', '=', 'video_sessions').execute();
}

test('admits each participant once, by the provider only', async () => {
  const cast = await session();
  const { client, provider, id } = cast;
  const guest = await withGuest(cast);
  for (const person of [client, guest, client]) {
    expect(await admit(as(provider), id, person.id)).toEqual({ personId: person.id });
  }
  expect(await acts(id)).toEqual([
    { action: 'video.admitted', details: { personId: client.id } },
    { action: 'video.admitted', details: { personId: guest.id } },
  ]);
  for (const stranger of [await addClient(db), await addProvider(db), provider, { id: newId() }]) {
    expect(await refusalOf(admit(as(provider), id, stranger.id))).toMatchObject({
      code: 'not_found',
      reason: 'person',
    });
  }
  for (const person of [client, guest]) {
    expect(await refusalOf(admit(as(person), id, guest.id))).toMatchObject({ code: 'forbidden' });
    expect(await refusalOf(endRoom(as(person), id))).toMatchObject({ code: 'forbidden' });
  }
  const otherProvider = await addProvider(db);
  expect(await refusalOf(admit(as(otherProvider), id, client.id))).toMatchObject({ code: 'not_found' });
  expect(await refusalOf(endRoom(as(otherProvider), id))).toMatchObject({ code: 'not_found' });
});

test('lets a provider who attends as a guest neither admit nor end', async () => {
  const { client, id } = await session();
  const colleague = await addProvider(db);
  await agree(db, id, client.id);
  await addGuest(db, { appointmentId: id, personId: colleague.id, name: 'Ruth' });
  const refused = { code: 'forbidden', reason: 'not_your_part' };
  expect(await refusalOf(admit(as(colleague), id, client.id))).toMatchObject(refused);
  expect(await refusalOf(endRoom(as(colleague), id))).toMatchObject(refused);
  expect((await sessionPage(as(colleague), id)).completable).toBe(false);
});

test('ignores admission before the room opens or after it closes', async () => {
  const { client, provider, id } = await session();
  for (const [now, reason] of [
    ['2026-03-02T14:49:59.999Z', 'early'],
    ['2026-03-02T16:15:00Z', 'over'],
  ] as const) {
    setNow(now);
    expect(await refusalOf(admit(as(provider), id, client.id))).toMatchObject({
      code: 'precondition',
      reason,
    });
  }
  expect(await acts(id)).toEqual([]);
});

test('ends the room once for everyone, and the session can still be completed', async () => {
  const cast = await session();
  const { client, provider, id } = cast;
  const guest = await withGuest(cast);
  const [own, theirs, onPage] = [await open(provider, 0), await open(client, 0), await open(guest, 0)];
  await enter(own, id);
  await enter(theirs, id);
  await admit(as(provider), id, client.id);
  expect(await endRoom(as(provider), id)).toMatchObject({ refusal: 'ended', completable: true });
  // People still on the waiting page are notified too.
  await eventually(() => changesOf(onPage, id)).toBe(1);
  const before = changesOf(theirs, id);
  expect(await endRoom(as(provider), id)).toMatchObject({ refusal: 'ended' });
  expect((await acts(id)).map(({ action }) => action)).toEqual(['video.admitted', 'video.ended']);
  for (const person of [client, guest, provider]) {
    expect((await sessionPage(as(person), id)).refusal).toBe('ended');
    expect(await roomOf(as(person), id)).toEqual({ admitted: false, providerHere: false, peers: [] });
  }
  await expect(enter(theirs, id)).rejects.toThrow('precondition ended');
  expect(await complete(as(provider), id)).toMatchObject({ status: 'completed' });
  expect(await sessionPage(as(provider), id)).toMatchObject({ refusal: 'ended', completable: false });
  expect(changesOf(theirs, id)).toBe(before);
});

test('can’t end a room before it opens, nor needs to after it closes', async () => {
  const { provider, id } = await session();
  setNow('2026-03-02T14:00:00Z');
  expect(await refusalOf(endRoom(as(provider), id))).toMatchObject({ code: 'precondition', reason: 'early' });
  setNow('2026-03-02T16:15:00Z');
  expect(await endRoom(as(provider), id)).toMatchObject({ refusal: 'over', completable: true });
  expect(await acts(id)).toEqual([]);
});

test('shows expected participants without their contact details', async () => {
  const cast = await session();
  const { client, provider, id } = cast;
  const guest = await withGuest(cast);
  await db.updateTable('profiles').set({ time_zone: 'Asia/Kathmandu' }).where('id', '=', guest.id).execute();
  const [ofClient, ofProvider, ofGuest] = [
    await sessionPage(as(client), id),
    await sessionPage(as(provider), id),
    await sessionPage(as(guest), id),
  ];
  const name = `Person ${provider.id.slice(-6)}`;
  expect(ofClient).toEqual({
    appointmentId: id,
    sessionType: 'online',
    part: 'client',
    ownName: 'Naomi Weiss',
    service: 'An hour of care',
    provider: {
      id: provider.id,
      name,
      title: 'Psychologist',
      photoUrl: null,
      takesMessages: true,
      location: 'Boston',
    },
    others: [
      { personId: provider.id, name, part: 'provider' },
      { personId: guest.id, name: 'Ruth', part: 'guest' },
    ],
    startsAt: start,
    endsAt: '2026-03-02T16:00:00Z',
    timeZone: 'America/Chicago',
    opensAt: '2026-03-02T14:50:00Z',
    closesAt: '2026-03-02T16:15:00Z',
    refusal: null,
    completable: false,
    phone: { caller: 'client', number: null, given: false },
    place: null,
  });
  expect(ofProvider).toMatchObject({
    part: 'provider',
    ownName: name,
    timeZone: 'America/New_York',
    others: [
      { personId: client.id, name: 'Naomi Weiss', part: 'client' },
      { personId: guest.id, name: 'Ruth', part: 'guest' },
    ],
    completable: true,
  });
  expect(ofGuest).toMatchObject({
    part: 'guest',
    ownName: 'Ruth',
    timeZone: 'Asia/Kathmandu',
    completable: false,
  });
  for (const page of [ofClient, ofProvider, ofGuest]) expect(JSON.stringify(page)).not.toContain('@');
});

test('requires consent from guests, and from clients with guests, before entering', async () => {
  const cast = await session();
  const { client, provider, id } = cast;
  const guest = await addClient(db);
  await addGuest(db, { appointmentId: id, personId: guest.id, name: 'Ruth', agreed: false });
  const line = await open(guest, 0);
  for (const person of [client, guest]) {
    expect((await sessionPage(as(person), id)).refusal).toBe('consent_missing');
    await expect(enter(await open(person, 0), id)).rejects.toThrow('precondition consent_missing');
  }
  expect((await sessionPage(as(provider), id)).refusal).toBeNull();
  await agree(db, id, guest.id);
  await enter(line, id);
});

test('shows the phone number to its caller and owner, and the address only to participants', async () => {
  const { client, provider, id } = await session({ sessionType: 'phone' });
  await db
    .updateTable('appointments')
    .set({ contact_phone: '+1 555 010 0199' })
    .where('id', '=', id)
    .execute();
  setNow('2026-03-01T15:00:00Z');
  const phones = async () => [
    (await sessionPage(as(provider), id)).phone,
    (await sessionPage(as(client), id)).phone,
  ];
  expect(await phones()).toEqual([
    { caller: 'provider', number: '+1 555 010 0199', given: true },
    { caller: 'provider', number: '+1 555 010 0199', given: true },
  ]);
  await db.updateTable('appointments').set({ contact_phone: null }).where('id', '=', id).execute();
  await db.updateTable('providers').set({ phone: '+1 555 010 0142' }).where('id', '=', provider.id).execute();
  expect(await phones()).toEqual([
    { caller: 'provider', number: null, given: false },
    { caller: 'provider', number: null, given: false },
  ]);
  // Phone sessions have no video room.
  const line = await open(client, 0);
  setNow(start);
  await expect(enter(line, id)).rejects.toThrow('not_found room');
  expect(await refusalOf(roomOf(as(client), id))).toMatchObject({ code: 'not_found', reason: 'room' });
});

test('shows the address of an in-person session', async () => {
  const { client, provider, id } = await session({ sessionType: 'in-person' });
  expect((await sessionPage(as(client), id)).place).toBeNull();
  const place = newId();
  await db
    .insertInto('places')
    .values({
      id: place,
      provider_id: provider.id,
      position: 1,
      name: 'The practice',
      address: '12 Elm Street',
      town: 'Chicago, IL',
      directions: 'The green door.',
      latitude: 41.88,
      longitude: -87.63,
      created_at: new Date(start),
    })
    .execute();
  await db.updateTable('appointments').set({ place_id: place }).where('id', '=', id).execute();
  const { place: told, phone } = await sessionPage(as(client), id);
  expect(told).toEqual({
    name: 'The practice',
    address: '12 Elm Street',
    directions: 'The green door.',
    latitude: 41.88,
    longitude: -87.63,
  });
  expect(phone.number).toBeNull();
});

test('disables rooms but not phone sessions while video is off', async () => {
  const { client, provider, id } = await session();
  const byPhone = await session({ sessionType: 'phone' });
  const line = await open(client, 0);
  await enter(line, id);
  await setFlag(false);
  try {
    for (const attempt of [
      () => sessionPage(as(client), id),
      () => roomOf(as(client), id),
      () => admit(as(provider), id, client.id),
      () => endRoom(as(provider), id),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ code: 'not_found', reason: 'feature_off' });
    }
    await expect(enter(line, id)).rejects.toThrow('not_found feature_off');
    expect((await sessionPage(as(byPhone.client), byPhone.id)).sessionType).toBe('phone');
  } finally {
    await setFlag(true);
  }
});

test('deletes admissions and room endings after a day', async () => {
  const { client, provider, id } = await session();
  await admit(as(provider), id, client.id);
  await endRoom(as(provider), id);
  const left = async () => [
    (await db.selectFrom('room_admissions').select('person_id').where('appointment_id', '=', id).execute())
      .length,
    (await db.selectFrom('video_rooms').select('ended_at').where('appointment_id', '=', id).execute()).length,
  ];
  setNow('2026-03-03T15:00:00Z');
  await deleteEndedRooms(as({ kind: 'job', name: 'tidy' }));
  expect(await left()).toEqual([1, 1]);
  setNow('2026-03-03T15:00:00.001Z');
  await deleteEndedRooms(as({ kind: 'job', name: 'tidy' }));
  expect(await left()).toEqual([0, 0]);
  expect((await sessionPage(as(client), id)).refusal).toBe('over');
});
