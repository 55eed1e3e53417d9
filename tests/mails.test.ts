import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { seedDemo } from '#/app/demo.ts';
import { reactionsOf } from '#/app/reactions.ts';
import { invite } from '#/features/attendees/invitations/commands.ts';
import { answer } from '#/features/contact/commands.ts';
import { mailAccountChange, mailAddresses } from '#/features/notifications/letters/account-changes.ts';
import { changeSettings } from '#/features/settings/commands.ts';
import { bookNew } from '#/features/care/clients/commands.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import type { Events } from '#/platform/context.ts';
import { calling } from './support/callers.ts';
import { silentParts, testDatabase } from './support/database.ts';
import { bookCouple, withGuest } from './support/guests.ts';
import { addClient } from './support/people.ts';

const database = await testDatabase();
const { db, as } = database;
const system = as({ kind: 'system' });
const reactions = reactionsOf({ ...silentParts, appUrl: 'https://cedar.example' });
const mailing = reactions.filter(({ name }) => /^(?:notifications|contact)\./.test(name));
/** Sent even while the site's notifications are off. */
const sentWhenOff = [
  'notifications.requested',
  'notifications.guest-invited',
  'notifications.client-invited',
  'notifications.emergency',
  'notifications.added',
  'notifications.sign-up',
  'notifications.verification',
  'notifications.password-reset',
  'notifications.sign-in-link',
  'notifications.sign-in-code',
  'notifications.confirmation-code',
  'notifications.email-change',
  'notifications.account-exists',
  'notifications.welcome',
  'notifications.sign-in-locked',
  'notifications.secured',
  'notifications.export-ready',
  'notifications.deletion',
  'contact.mails',
  'contact.answer',
];
let happened: Record<string, () => Promise<object> | object>;

beforeAll(async () => {
  await seedDemo(system);
  await changeSettings(system, { siteName: 'Cedar House' });
  const person = await addClient(db);
  const couple = await withGuest(database);
  const asking = await bookCouple(database, { startsAt: '2026-03-10T14:00:00Z' });
  const list = await invite(as(asking.client), {
    appointmentId: asking.appointmentId,
    name: 'Naomi',
    email: 'naomi@people.example',
    agreed: true,
  });
  const { guestId, appointmentId, provider } = couple;
  const until = '2026-04-01';
  const asked = JSON.stringify({
    providerId: provider.id,
    serviceId: 'couples',
    startsAt: '2026-03-11T14:00:00Z',
    durationMinutes: 60,
    sessionType: 'phone',
    contact: { name: 'Ruth Amsel', email: 'ruth@people.example' },
    timeZone: 'America/New_York',
  });
  happened = {
    'notifications.booked': async () => ({
      ...(await one(sql`select booking_id as "bookingId" from appointments where id = ${appointmentId}`)),
      by: 'client',
    }),
    'notifications.requested': () =>
      one(sql`
        insert into booking_requests (id, email, input, created_at, expires_at)
        values (${newId()}, 'ruth@people.example', ${asked}, '2026-03-02T12:00Z', '2026-03-03T12:00Z')
        returning id as "requestId"`),
    'notifications.changed': () => ({ appointmentId, change: 'confirmed', by: 'provider' }),
    'notifications.series-changed': () => ({
      appointmentIds: [appointmentId],
      change: 'rescheduled',
      by: 'provider',
    }),
    'notifications.reminder': () =>
      one(
        sql`select id as "reminderId" from reminders where appointment_id = ${asking.appointmentId} limit 1`,
      ),
    'notifications.guest-invited': () => ({ guestId: list.guests[0]!.id, sends: 1 }),
    'notifications.client-invited': async () => {
      const input = await calling(db, { serviceId: 'couples', startsAt: '2026-03-12T14:00:00Z' });
      return { clientId: (await bookNew(as(provider), input)).clientId, sends: 1 };
    },
    'notifications.guest-answered': () => ({ guestId, answer: 'accepted' }),
    'notifications.guest-withdrawn': () => ({ guestId }),
    'notifications.offer': () =>
      one(sql`
        insert into wait_offers (id, wait_id, starts_at, offered_at, deadline, state)
        select ${newId()}::uuid, id, '2026-03-20T14:00Z', '2026-03-02T12:00Z', '2026-03-03T12:00Z', 'open' from waits
         where state = 'waiting' limit 1 returning id as "offerId"`),
    'notifications.message': () =>
      one(sql`
        select m.id as "messageId" from messages as m join conversations as c on c.id = conversation_id
         where from_client and provider_unread > 0 and seq = provider_read_seq + 1
            or not from_client and client_unread > 0 and seq = client_read_seq + 1 limit 1`),
    'notifications.emergency': () =>
      one(sql`
        insert into emergency_accesses (id, conversation_id, opened_by, session_id, opened_at, ends_at, reason)
        select ${newId()}::uuid, c.id, u.id, u.id, '2026-03-02T12:00Z', '2026-03-02T12:30Z', 'danger'
          from conversations as c, users as u where u.email = 'admin@italk.example' limit 1
        returning id as "accessId"`),
    'notifications.review': () =>
      one(
        sql`select id as "reviewId" from reviews where decided_at is not null and client_id is not null limit 1`,
      ),
    'notifications.review-reply': () =>
      one(sql`select review_id as "reviewId", revision from review_replies where state <> 'waiting' limit 1`),
    'notifications.resource': async () => ({
      ...(await one(sql`
        update resources set created_by = ${provider.id} where id = (select id from resources limit 1)
        returning id as "resourceId"`)),
      decision: 'published',
    }),
    'notifications.credential': () =>
      one(sql`select id as "credentialId" from provider_credentials where state = 'approved' limit 1`),
    'notifications.application': () =>
      one(sql`
        insert into provider_applications (id, person_id, kind, full_name, phone, specialization, experience, education,
          location, time_zone, bio, languages, service_ids, credential_kind, credential_number, credential_issuer,
          credential_region, status, reason, submitted_at, decided_at)
        values (${newId()}, ${person.id}, 'doctor', 'Ruth Amsel', '', 'Grief', '9 years', '{}', 'Boston',
          'America/New_York', 'Listens.', '{English}', '{}', 'licence', 'X1', 'State', '', 'rejected', 'Incomplete',
          '2026-03-01T12:00Z', '2026-03-02T12:00Z') returning id as "applicationId"`),
    'notifications.settled': () => ({
      providerId: provider.id,
      sessions: [
        { id: asking.appointmentId, to: null },
        { id: appointmentId, to: asking.appointmentId },
      ],
    }),
    'notifications.approval': () => ({ providerId: provider.id, change: 'revoked' }),
    'notifications.added': () => ({ providerId: provider.id, invited: true }),
    'notifications.licence-ending': () => ({ providerId: provider.id, until }),
    'notifications.licence-ended': () => ({ providerId: provider.id, until }),
    'notifications.prayer-asked': () =>
      one(sql`
        update prayer_requests set state = 'open', audience = 'counsellor', provider_id = ${provider.id}
         where id = (select id from prayer_requests limit 1) returning id as "requestId"`),
    'notifications.prayed': () =>
      one(sql`select prayer_answers.id as "answerId" from prayer_answers
        join prayer_requests on prayer_requests.id = request_id where state <> 'closed' limit 1`),
    'notifications.sign-up': async () => ({
      ...(await one(sql`
        insert into sign_ups (id, email, name, password, proof, created_at, expires_at)
        values (${newId()}, 'ruth@people.example', 'Ruth Amsel', 'hash', ${newId()}, '2026-03-02T12:00Z', '2030-01-01T12:00Z')
        returning id as "signUpId"`)),
      next: '/home',
    }),
    'notifications.verification': () => ({ userId: person.id, next: '/home' }),
    'notifications.password-reset': () => ({ userId: person.id, next: '/home' }),
    'notifications.sign-in-link': () => ({ userId: person.id }),
    'notifications.sign-in-code': async () => ({
      ...(await one(sql`
        insert into sign_in_codes (id, address, user_id, device, created_at, expires_at)
        values (${newId()}, ${newId()}, ${person.id}, ${newId()}, '2026-03-02T12:00Z', '2030-01-01T12:00Z')
        returning id as "codeId"`)),
      next: '/home',
    }),
    'notifications.confirmation-code': () =>
      one(sql`
        insert into sign_in_codes (id, address, user_id, device, created_at, expires_at)
        values (${newId()}, ${newId()}, ${person.id}, ${newId()}, '2026-03-02T12:00Z', '2030-01-01T12:00Z')
        returning id as "codeId"`),
    'notifications.email-change': () =>
      one(sql`
        insert into email_change_requests (user_id, id, address, session_id, created_at, expires_at)
        values (${person.id}, ${newId()}, 'new@people.example', ${newId()}, '2026-03-02T12:00Z', '2030-01-01T12:00Z')
        returning id as "requestId"`),
    'notifications.account-exists': () => ({ userId: person.id, next: '/home' }),
    'notifications.welcome': () => ({ userId: person.id }),
    'notifications.sign-in-locked': () => ({ userId: person.id }),
    'notifications.secured': () => ({ userId: person.id, change: 'password_set' }),
    'notifications.export-ready': () => ({ userId: person.id }),
    'notifications.deletion': async () => {
      await db
        .updateTable('profiles')
        .set({ delete_after: new Date('2026-03-16T12:00:00Z') })
        .where('id', '=', person.id)
        .execute();
      return { userId: person.id };
    },
    'contact.mails': async () => ({
      ...(await one(sql`select id as "messageId" from contact_messages limit 1`)),
      receipt: true,
    }),
    'contact.answer': async () => {
      const { id } = (await one(sql`select id from contact_messages limit 1`)) as { id: string };
      const chief = as({ ...(await addClient(db)), role: 'super_admin' });
      const { answers } = await answer(chief, { messageId: id, text: 'Gladly.', seen: 0 });
      return { answerId: answers[0]!.id };
    },
  };
});

async function one(query: ReturnType<typeof sql<object>>): Promise<object> {
  const { rows } = await query.execute(db);
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

test('covers every emailing reaction with an event', () => {
  expect(Object.keys(happened).toSorted()).toEqual(mailing.map(({ name }) => name).toSorted());
});

test.each(mailing.map(({ name }) => name))(
  '%s: sends only required email while notifications are off, with the site’s own name',
  async (name) => {
    const { handle } = mailing.find((reaction) => reaction.name === name)!;
    const payload = (await happened[name]!()) as Events[keyof Events];
    const mailsOnceIt = async (emailNotifications: boolean) => {
      await changeSettings(system, { emailNotifications });
      await db.deleteFrom('mails').execute();
      await handle(as({ kind: 'job', name }), payload, { id: newId(), requestId: 'test' });
      return database.readMails();
    };
    const whileOff = await mailsOnceIt(false);
    const isSentWhenOff = sentWhenOff.includes(name);
    expect(whileOff.length > 0).toBe(isSentWhenOff);
    const mails = isSentWhenOff ? whileOff : await mailsOnceIt(true);
    expectNamed(mails);
  },
);

test.each(['former address', 'suspended', 'restored', 'deleted'] as const)(
  'emails an administrator’s account change even while notifications are off: %s',
  async (change) => {
    const { id } = await addClient(db);
    await changeSettings(system, { emailNotifications: false });
    await db.deleteFrom('mails').execute();
    await transact(system, (tx) =>
      change === 'former address'
        ? mailAddresses(
            tx,
            id,
            { from: 'old@people.example', to: 'new@people.example' },
            { kind: 'held', token: 'token', until: tx.now() },
            'https://cedar.example',
          )
        : mailAccountChange(tx, id, change, 'https://cedar.example'),
    );
    expectNamed(await database.readMails());
  },
);

function expectNamed(mails: readonly { subject: string; text_body: string; html_body: string }[]): void {
  expect(mails).not.toEqual([]);
  for (const { subject, text_body, html_body } of mails) {
    expect(text_body).toContain('Warm regards,\nCedar House\n');
    expect(html_body).toContain('>Cedar House</p>');
    expect(subject + text_body + html_body.replace(/<style>.*<\/style>/s, '')).not.toMatch(/iTalk\b(?!\.)/);
  }
}
