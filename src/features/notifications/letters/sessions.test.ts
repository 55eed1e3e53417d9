import ICAL from 'ical.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { updatePreferences } from '#/features/accounts/profile/commands.ts';
import { book } from '#/features/appointments/booking/commands.ts';
import type { BookInput } from '#/features/appointments/booking/contract.ts';
import {
  cancel,
  complete,
  confirm,
  decline,
  reschedule,
  setReminder,
} from '#/features/appointments/life-cycle/commands.ts';
import { bookFor } from '#/features/appointments/on-behalf/commands.ts';
import { cancelSeries, rescheduleSeries } from '#/features/appointments/series/commands.ts';
import type { MailAttachment } from '#/platform/mail/tables.ts';
import { queueDueReminders } from '#/features/appointments/reminders/commands.ts';
import { silentParts, testDatabase } from '../../../../tests/support/database.ts';
import {
  addClient,
  addProvider,
  sixtyMinutes,
  type Person,
  type ProviderTerms,
} from '../../../../tests/support/people.ts';
import { notifications } from '../feature.ts';

// Far in the future, so reminders wait by the machine's clock too. A Monday; DST in New York starts March 14.
const morning = '2100-03-01T12:00:00Z';
const start = '2100-03-08T20:00:00Z';
const { db, as, runJobs, setNow, readMails } = await testDatabase({ appUrl: 'https://italk.example' });
const service = await sixtyMinutes(db);

interface Setting {
  client: Person;
  provider: Person;
  clientEmail: string;
  providerEmail: string;
}

async function setting(terms: ProviderTerms = {}): Promise<Setting> {
  const [client, provider] = [await addClient(db), await addProvider(db, terms)];
  const emailOf = async ({ id }: Person) =>
    (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;
  return { client, provider, clientEmail: await emailOf(client), providerEmail: await emailOf(provider) };
}

function bookIt({ client, provider }: Setting, more: Partial<BookInput> = {}) {
  return book(as(client), {
    idempotencyKey: as(client).newId(),
    providerId: provider.id,
    serviceId: service,
    startsAt: start,
    durationMinutes: 60,
    sessionType: 'online',
    recurrence: 'one_time',
    sessions: 4,
    contact: { name: 'Typed Name', email: 'typed@people.example', phone: '+1 617 555 0100' },
    reminderMinutes: 60,
    timeZone: 'Europe/Berlin',
    ...more,
  });
}

async function takeMails() {
  const rows = await readMails();
  await db.deleteFrom('mails').execute();
  return rows;
}

const mailTo = (mails: Awaited<ReturnType<typeof takeMails>>, email: string) => {
  const found = mails.filter(({ recipient }) => recipient === email);
  expect(found).toHaveLength(1);
  return found[0]!;
};

function read({ content, contentType }: MailAttachment) {
  const calendar = new ICAL.Component(ICAL.parse(content) as unknown[]);
  const events = calendar.getAllSubcomponents('vevent');
  expect(events).toHaveLength(1);
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  }
  const event = new ICAL.Event(events[0]);
  const instant = (time: ICAL.Time) => new Date(time.toUnixTime() * 1000).toISOString();
  return {
    method: calendar.getFirstPropertyValue('method'),
    typeMethod: /method=(\w+)/.exec(contentType)?.[1],
    uid: event.uid,
    sequence: event.sequence,
    status: events[0]!.getFirstPropertyValue('status'),
    summary: event.summary,
    starts: instant(event.startDate),
    ends: instant(event.endDate),
    attendees: events[0]!.getAllProperties('attendee').map((one) => one.getFirstValue()),
    alarms: events[0]!.getAllSubcomponents('valarm').length,
  };
}

beforeEach(async () => {
  setNow(morning);
  await db.updateTable('site_settings').set({ email_notifications: true }).execute();
  await runJobs({ all: true });
  await takeMails();
});

describe('a booking', () => {
  test('emails both parties once, in their own zone, with a personal invitation', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await runJobs();
    const mails = await takeMails();
    expect(mails).toHaveLength(2);
    const toClient = mailTo(mails, people.clientEmail);
    const toProvider = mailTo(mails, people.providerEmail);
    expect(toClient.subject).toBe('iTalk Health session booked: Mon, Mar 8, 9:00 PM GMT+1');
    expect(toClient.text_body).toContain(
      'Monday, March 8, 2100, 9:00 PM – 10:00 PM (Central European Standard Time)',
    );
    expect(toProvider.subject).toBe('iTalk Health session booked: Mon, Mar 8, 3:00 PM EST');
    expect(toProvider.text_body).toContain(
      'Monday, March 8, 2100, 3:00 PM – 4:00 PM (Eastern Standard Time)',
    );
    for (const mail of mails) {
      expect(mail.text_body).toContain('https://italk.example/home');
      expect(mail.html_body).toContain('href="https://italk.example/home"');
      expect(mail.attachments).toHaveLength(1);
      expect(read(mail.attachments[0]!)).toMatchObject({
        method: 'REQUEST',
        typeMethod: 'REQUEST',
        uid: appointments[0]!.id,
        sequence: 0,
        status: 'CONFIRMED',
        summary: 'iTalk session',
        starts: '2100-03-08T20:00:00.000Z',
        ends: '2100-03-08T21:00:00.000Z',
        attendees: [`mailto:${mail.recipient}`],
        alarms: mail === toClient ? 1 : 0,
      });
    }
    expect(await runJobs()).toBe(0);
  });

  test('is emailed once, however often its job runs', async () => {
    const people = await setting();
    const { bookingId } = await bookIt(people);
    await runJobs();
    const before = await db.selectFrom('mails').select(['id', 'key']).orderBy('id').execute();
    const [booked] = notifications.reactions(silentParts);
    const eventId = before[0]!.key.split(':')[0]!;
    await booked!.handle(
      as({ kind: 'job', name: 'again' }),
      { bookingId, by: 'client' },
      { id: eventId, requestId: 'test' },
    );
    expect(await db.selectFrom('mails').select(['id', 'key']).orderBy('id').execute()).toEqual(before);
  });

  test('is described as pending, and tentative in calendars, until confirmed', async () => {
    const people = await setting({ approvesFirst: true });
    const { appointments } = await bookIt(people);
    await runJobs();
    const requested = await takeMails();
    expect(mailTo(requested, people.clientEmail)).toMatchObject({
      subject: expect.stringContaining('requested') as string,
    });
    expect(mailTo(requested, people.providerEmail).text_body).toContain('needs your confirmation');
    expect(requested.map(({ attachments }) => read(attachments[0]!).status)).toEqual([
      'TENTATIVE',
      'TENTATIVE',
    ]);
    await confirm(as(people.provider), appointments[0]!.id);
    await runJobs();
    const confirmed = await takeMails();
    expect(confirmed).toHaveLength(2);
    for (const mail of confirmed) {
      expect(mail.subject).toContain('iTalk Health session confirmed');
      expect(read(mail.attachments[0]!)).toMatchObject({
        method: 'REQUEST',
        uid: appointments[0]!.id,
        sequence: 1,
        status: 'CONFIRMED',
      });
    }
  });

  test('of a series sends one email each, with a file per session across a DST change', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people, { recurrence: 'weekly', sessions: 3 });
    await runJobs();
    const mails = await takeMails();
    expect(mails).toHaveLength(2);
    expect(mailTo(mails, people.clientEmail).subject).toContain('3 iTalk Health sessions booked');
    for (const { attachments, text_body } of mails) {
      expect(attachments.map(read).map(({ uid, starts, method }) => [uid, starts, method])).toEqual([
        [appointments[0]!.id, '2100-03-08T20:00:00.000Z', 'REQUEST'],
        [appointments[1]!.id, '2100-03-15T19:00:00.000Z', 'REQUEST'],
        [appointments[2]!.id, '2100-03-22T19:00:00.000Z', 'REQUEST'],
      ]);
      expect(new Set(attachments.map(({ filename }) => filename)).size).toBe(3);
      expect(text_body.match(/^When: /gm)).toHaveLength(3);
    }
  });

  test('by the provider says so in both emails', async () => {
    const people = await setting();
    await bookIt(people);
    await runJobs();
    await takeMails();
    await bookFor(as(people.provider), {
      idempotencyKey: as(people.provider).newId(),
      clientId: people.client.id,
      serviceId: service,
      startsAt: '2100-03-10T15:00:00Z',
      durationMinutes: 60,
      sessionType: 'online',
      recurrence: 'one_time',
      sessions: 2,
      outsideHours: false,
    });
    await runJobs();
    const mails = await takeMails();
    expect(mails).toHaveLength(2);
    expect(mailTo(mails, people.clientEmail).text_body).toContain(
      'Your specialist booked this session for you.',
    );
    expect(mailTo(mails, people.providerEmail).text_body).toContain('You booked this session');
    expect(mails.map(({ attachments }) => read(attachments[0]!).method)).toEqual(['REQUEST', 'REQUEST']);
  });

  test('canceled before its email was written leaves no calendar entry', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await cancel(as(people.client), appointments[0]!.id);
    await runJobs();
    const mails = await takeMails();
    expect(mails.map(({ attachments }) => read(attachments[0]!).method)).toEqual(['CANCEL', 'CANCEL']);
  });
});

describe('a change', () => {
  test('of time updates both calendars: same entry, higher sequence, new time', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await runJobs();
    await takeMails();
    await reschedule(as(people.client), appointments[0]!.id, '2100-03-09T15:00:00Z');
    await runJobs();
    const mails = await takeMails();
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(mail.subject).toContain('iTalk Health session rescheduled: Tue, Mar 9');
      expect(read(mail.attachments[0]!)).toMatchObject({
        method: 'REQUEST',
        uid: appointments[0]!.id,
        sequence: 1,
        starts: '2100-03-09T15:00:00.000Z',
        attendees: [`mailto:${mail.recipient}`],
      });
    }
  });

  test('of plans withdraws the calendar entry without a reason', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await runJobs();
    await takeMails();
    await cancel(as(people.provider), appointments[0]!.id, 'PrivateReason');
    await runJobs();
    const mails = await takeMails();
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      expect(read(mail.attachments[0]!)).toMatchObject({
        method: 'CANCEL',
        typeMethod: 'CANCEL',
        uid: appointments[0]!.id,
        sequence: 1,
        status: 'CANCELLED',
        alarms: 0,
      });
      expect(JSON.stringify(mail)).not.toContain('PrivateReason');
    }
  });

  test('to declined is worded separately for each party', async () => {
    const people = await setting({ approvesFirst: true });
    const { appointments } = await bookIt(people);
    await runJobs();
    await takeMails();
    await decline(as(people.provider), appointments[0]!.id);
    await runJobs();
    const mails = await takeMails();
    expect(mailTo(mails, people.clientEmail).text_body).toContain('choose another');
    expect(mailTo(mails, people.providerEmail).text_body).toContain('You declined');
    expect(mails.map(({ attachments }) => read(attachments[0]!).method)).toEqual(['CANCEL', 'CANCEL']);
  });

  test('after the session isn’t emailed', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await runJobs();
    await takeMails();
    setNow('2100-03-08T20:30:00Z');
    await complete(as(people.provider), appointments[0]!.id);
    await runJobs();
    expect(await takeMails()).toHaveLength(0);
  });
});

describe('reminders', () => {
  const remind = notifications.reactions(silentParts).find(({ event }) => event === 'booking.reminder_due')!;
  const remindersOf = (appointmentId: string) =>
    db.selectFrom('reminders').select('id').where('appointment_id', '=', appointmentId).execute();
  const run = (reminderId: string) =>
    remind.handle(
      as({ kind: 'job', name: remind.name }),
      { reminderId },
      { id: reminderId, requestId: 'test' },
    );

  test('are sent once each at their time', async () => {
    await db.updateTable('site_settings').set({ reminder_time: 120 }).execute();
    const people = await setting();
    const { appointments } = await bookIt(people);
    const planned = await remindersOf(appointments[0]!.id);
    await runJobs();
    await takeMails();
    setNow('2100-03-08T19:30:00Z');
    await queueDueReminders(as({ kind: 'job', name: 'reminders' }));
    await runJobs();
    for (const { id } of planned) await run(id);
    const own = [people.clientEmail, people.providerEmail];
    // Other tests' sessions have reminders, too.
    const mails = (await takeMails()).filter(({ recipient }) => own.includes(recipient));
    await db.updateTable('site_settings').set({ reminder_time: 60 }).execute();
    // The client's own reminder one hour before; the site's to both, two hours before.
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(
      [people.clientEmail, people.clientEmail, people.providerEmail].toSorted(),
    );
    for (const mail of mails) {
      expect(mail.subject).toMatch(/^Reminder: iTalk Health session Mon, Mar 8, /);
      expect(mail.attachments).toEqual([]);
    }
  });

  test('respect opt-outs, which don’t affect booking emails', async () => {
    await db.updateTable('site_settings').set({ reminder_time: 120 }).execute();
    const people = await setting();
    await updatePreferences(as(people.client), { sessionReminders: false });
    const { appointments } = await bookIt(people);
    await runJobs();
    expect((await takeMails()).map(({ recipient }) => recipient)).toContain(people.clientEmail);
    for (const { id } of await remindersOf(appointments[0]!.id)) await run(id);
    await db.updateTable('site_settings').set({ reminder_time: 60 }).execute();
    // The provider chose a different reminder.
    expect((await takeMails()).map(({ recipient }) => recipient)).toEqual([people.providerEmail]);
    await cancel(as(people.client), appointments[0]!.id);
    await runJobs();
    expect((await takeMails()).map(({ recipient }) => recipient)).toContain(people.clientEmail);
  });

  test('are sent once when two processes run at the same time', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await runJobs();
    await takeMails();
    const [{ id } = { id: '' }] = await remindersOf(appointments[0]!.id);
    await Promise.all([run(id), run(id), run(id)]);
    expect(await takeMails()).toHaveLength(1);
  });

  test('show the zone that the client chose since booking', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await updatePreferences(as(people.client), { timeZone: 'Asia/Tokyo' });
    await runJobs();
    await takeMails();
    const [{ id } = { id: '' }] = await remindersOf(appointments[0]!.id);
    await run(id);
    const mail = mailTo(await takeMails(), people.clientEmail);
    expect(mail.subject).toBe('Reminder: iTalk Health session Tue, Mar 9, 5:00 AM GMT+9');
    expect(mail.text_body).toContain('(Japan Standard Time)');
  });

  test('survive a crash: unwritten ones stay unclaimed', async () => {
    const people = await setting();
    const { appointments } = await bookIt(people);
    await runJobs();
    await takeMails();
    const [{ id } = { id: '' }] = await remindersOf(appointments[0]!.id);
    const crashing = {
      ...as({ kind: 'job', name: remind.name }),
      emit: () => Promise.reject(new Error('crash')),
    };
    await expect(remind.handle(crashing, { reminderId: id }, { id, requestId: 'test' })).rejects.toThrow(
      'crash',
    );
    expect(await takeMails()).toHaveLength(0);
    await run(id);
    await run(id);
    expect(await takeMails()).toHaveLength(1);
  });

  test('of moved, changed or canceled sessions skip the old time', async () => {
    const people = await setting();
    const [moved, changed, gone] = await Promise.all([
      bookIt(people).then(({ appointments }) => appointments[0]!.id),
      bookIt(await setting()).then(({ appointments }) => appointments[0]!.id),
      bookIt(await setting()).then(({ appointments }) => appointments[0]!.id),
    ]);
    const clientOf = async (id: string): Promise<Person> => {
      const row = await db
        .selectFrom('appointments')
        .select('client_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return { kind: 'person', id: row.client_id, role: 'client', sessionId: 'test' };
    };
    const old = (await Promise.all([moved, changed, gone].map(remindersOf))).flat();
    expect(old.length).toBeGreaterThan(3);
    await reschedule(as(people.client), moved, '2100-03-09T15:00:00Z');
    await cancel(as(await clientOf(gone)), gone);
    await setReminder(as(await clientOf(changed)), changed, 1440);
    await runJobs();
    await takeMails();
    const kept = new Set((await remindersOf(changed)).map(({ id }) => id));
    for (const { id } of old) if (!kept.has(id)) await run(id);
    expect(await takeMails()).toHaveLength(0);
    for (const { id } of await remindersOf(moved)) await run(id);
    const mails = await takeMails();
    expect(mails.length).toBeGreaterThan(0);
    for (const { subject } of mails) expect(subject).toContain('Tue, Mar 9');
  });

  test('aren’t sent after the session starts', async () => {
    const people = await setting();
    await bookIt(people);
    await runJobs();
    await takeMails();
    setNow('2100-03-08T20:00:01Z');
    await runJobs({ all: true });
    expect(await takeMails()).toHaveLength(0);
  });
});

test('sends nothing while the site’s email is off', async () => {
  await db.updateTable('site_settings').set({ email_notifications: false }).execute();
  const people = await setting();
  const { appointments } = await bookIt(people);
  await reschedule(as(people.client), appointments[0]!.id, '2100-03-09T15:00:00Z');
  setNow('2100-03-09T14:30:00Z');
  await runJobs({ all: true });
  await cancel(as(people.provider), appointments[0]!.id);
  await runJobs();
  expect(await takeMails()).toHaveLength(0);
});

test(
  'names no service, no person but the client, and nothing about care or faith',
  { tags: ['long'] },
  async () => {
    const services = await db.selectFrom('services').select(['id', 'title']).execute();
    // A neutral site name, so only the email text is tested.
    await db.updateTable('site_settings').set({ site_name: 'Cedar' }).execute();
    const revealing =
      /\b(doctor|dr|pastor|therap\w*|psych\w*|counsel\w*|care|heal\w*|health\w*|mental|spirit\w*|pray\w*|faith\w*|church|christian|grief|specialist|provider|client|clinic|patient)\b/i;
    for (const [index, { id, title }] of services.entries()) {
      const people = await setting({ services: [id], approvesFirst: index % 2 === 0 });
      const { provider, client } = people;
      await db
        .updateTable('profiles')
        .set({ full_name: 'Dr. Grace Hidden' })
        .where('id', '=', provider.id)
        .execute();
      await db.updateTable('profiles').set({ full_name: 'Ann Asker' }).where('id', '=', client.id).execute();
      const minutes = (
        await db
          .selectFrom('services')
          .select('duration_minutes')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).duration_minutes;
      const { appointments } = await bookIt(people, {
        serviceId: id,
        durationMinutes: minutes,
        sessionType: (['online', 'phone', 'in-person'] as const)[index % 3]!,
        ...(index === 1 ? { recurrence: 'weekly' as const, sessions: 2 } : {}),
      });
      if (index % 2 === 0) await confirm(as(provider), appointments[0]!.id);
      await reschedule(as(provider), appointments[0]!.id, '2100-03-09T15:00:00Z');
      await runJobs();
      setNow('2100-03-09T14:00:00Z');
      await queueDueReminders(as({ kind: 'job', name: 'reminders' }));
      await runJobs();
      setNow(morning);
      await cancel(as(provider), appointments[0]!.id);
      await runJobs();
      const mails = await takeMails();
      expect(mails.length).toBeGreaterThanOrEqual(8);
      for (const mail of mails) {
        const words = [mail.subject, mail.text_body, mail.html_body, ...mail.attachments.map(unfolded)].join(
          '\n',
        );
        for (const secret of [title, 'Hidden', 'Typed Name', 'typed@', 'Boston', 'Psychologist']) {
          expect(words).not.toContain(secret);
        }
        expect(words.replaceAll(/font-family|mailto:\S+|[0-9a-f-]{36}@\S+/g, '')).not.toMatch(revealing);
        expect(words.includes('Ann Asker')).toBe(mail.recipient === people.clientEmail);
      }
    }
  },
);

function unfolded({ content, filename }: MailAttachment): string {
  return `${filename}\n${content.replace(/\r\n /g, '')}`;
}

test('treats a hostile name as text, never as a header', async () => {
  const people = await setting();
  const name = '<script>alert("x")</script>\r\nBcc: all@people.example';
  await db.updateTable('profiles').set({ full_name: name }).where('id', '=', people.client.id).execute();
  await bookIt(people);
  await runJobs();
  const { html_body, text_body, subject } = mailTo(await takeMails(), people.clientEmail);
  expect(html_body).not.toContain('<script');
  expect(text_body.split('\n')[0]).toBe('Hello <script>alert("x")</script> Bcc: all@people.example,');
  expect(subject).not.toMatch(/[\r\n]/);
});

describe('a series', () => {
  async function weekly(terms: ProviderTerms = {}) {
    const people = await setting(terms);
    const { appointments } = await bookIt(people, { recurrence: 'weekly', sessions: 3 });
    const guest = await addClient(db);
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', guest.id)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('session_guests')
      .values({
        id: as(guest).newId(),
        appointment_id: appointments[1]!.id,
        person_id: guest.id,
        name: 'Boaz',
        email,
        state: 'accepted',
        invited_at: new Date(morning),
        sends: 1,
        sent_at: new Date(morning),
      })
      .execute();
    await runJobs();
    await takeMails();
    return { ...people, appointments, guestEmail: email };
  }
  const change = (appointments: readonly { id: string; sequence: number }[], from = appointments[0]!) => ({
    appointmentId: from.id,
    idempotencyKey: crypto.randomUUID(),
    scope: 'all' as const,
    chosen: appointments.map(({ id, sequence }) => ({ appointmentId: id, sequence })),
  });

  test('is canceled in one email each, with every date and removal files', async () => {
    const { appointments, client, clientEmail, providerEmail, guestEmail } = await weekly();
    const following = appointments.slice(1);
    await cancelSeries(as(client), { ...change(following), scope: 'following', reason: 'A private reason' });
    await runJobs();
    const mails = await takeMails();
    expect(mails).toHaveLength(3);
    for (const email of [clientEmail, providerEmail]) {
      const { subject, text_body, html_body, attachments } = mailTo(mails, email);
      expect(subject).toMatch(/^2 .* sessions canceled, from Mon, Mar 15/);
      expect(text_body.match(/^When: /gm)).toHaveLength(2);
      expect(text_body + html_body).not.toContain('A private reason');
      expect(attachments.map(read).map(({ uid, method, sequence }) => [uid, method, sequence])).toEqual(
        following.map(({ id }) => [id, 'CANCEL', 1]),
      );
    }
    const toGuest = mailTo(mails, guestEmail);
    expect(toGuest.subject).toContain('session canceled');
    expect(toGuest.attachments.map(read).map(({ uid, method }) => [uid, method])).toEqual([
      [appointments[1]!.id, 'CANCEL'],
    ]);
  });

  test('is moved in one email each, with every new time and its pending state', async () => {
    const { appointments, client, clientEmail, providerEmail, guestEmail } = await weekly({
      approvesFirst: true,
    });
    const moved = await rescheduleSeries(as(client), {
      ...change(appointments),
      startsAt: '2100-03-09T20:00:00Z',
    });
    await runJobs();
    const mails = await takeMails();
    expect(mails).toHaveLength(3);
    for (const email of [clientEmail, providerEmail]) {
      const { subject, text_body, attachments } = mailTo(mails, email);
      expect(subject).toMatch(/^3 .* sessions rescheduled, from Tue, Mar 9/);
      expect(text_body).toContain('The new times aren’t confirmed yet.');
      expect(attachments.map(read).map(({ uid, starts, method }) => [uid, starts, method])).toEqual(
        moved.map(({ id, startsAt }) => [id, startsAt.replace('Z', '.000Z'), 'REQUEST']),
      );
    }
    expect(
      mailTo(mails, guestEmail)
        .attachments.map(read)
        .map(({ starts }) => starts),
    ).toEqual(['2100-03-16T19:00:00.000Z']);
  });

  test('doesn’t restore a session canceled before the email was written', async () => {
    const { appointments, client, clientEmail } = await weekly();
    await rescheduleSeries(as(client), { ...change(appointments), startsAt: '2100-03-09T20:00:00Z' });
    await cancel(as(client), appointments[2]!.id);
    await runJobs();
    const mails = (await takeMails()).filter(({ recipient }) => recipient === clientEmail);
    const methods = mails.map(({ attachments }) => attachments.map((file) => read(file).method).join(' '));
    expect(methods.toSorted((a, b) => a.localeCompare(b))).toEqual(['CANCEL', 'REQUEST REQUEST']);
  });
});
