import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { demoPassword } from '#/features/accounts/demo.ts';
import { issueRequest } from '#/features/booking/requests/commands.ts';
import { issueClaim } from '#/features/care/claims/commands.ts';
import { solutionAmong } from '#/features/contact/proof/rules.ts';
import { emergencyPhrase } from '#/features/messaging/emergency/rules.ts';
import { unsubscribeLinks } from '#/features/notifications/unsubscribe/commands.ts';
import { bulkChanges } from '#/features/settings/flags/rules.ts';
import type { FlagView } from '#/features/settings/flags/contract.ts';
import { newId, systemNow } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { pdf } from './bytes.ts';
import { mailedToken } from './guests.ts';
import { addClient, addProvider, type Person } from './people.ts';
import { acceptedInputs, procedures, requestOf } from './procedures.ts';
import { castOf, type Answer, type TestServer, type Visitor } from './server.ts';
import { addSession } from './sessions.ts';

/** One call that succeeds: who makes it, and what of the accepted input has to be another for it. */
export interface Deed {
  by: Visitor & { id?: string };
  input?: Readonly<Record<string, unknown>>;
  /** The id of what each entry is about, or of what the one entry is; unless told, of what the answer has. */
  about?: About | ((answer: Made) => Promise<About>);
  /** What has no number of its own is named in the details by this. */
  named?: string;
}

type About = string | null | readonly (string | null)[];

/** What a procedure has made or changed. */
export interface Made {
  [field: string]: unknown;
  id: string;
}

/** Somebody who is signed in. */
export interface Player extends Visitor {
  person: Person;
  id: string;
  email: string;
}

/** People, and what stands between them, made as each deed needs it, through the API wherever it can be. */
export async function stageOf(server: TestServer) {
  const { db } = server.database;
  server.database.setNow(systemNow().toString());
  const cast = await castOf(server);
  const accepted = acceptedInputs(cast);
  const byName = new Map(procedures.map((one) => [one.name, one]));

  /** The accepted input of a procedure, but for what is given. */
  const sent = (name: string, change: Deed['input'] = {}) => ({ ...accepted[name], ...change });

  async function ask(by: Visitor, name: string, change?: Deed['input']): Promise<Answer> {
    return by.send(...requestOf(byName.get(name)!, sent(name, change)));
  }

  /** Calls a procedure that has to succeed, with the accepted input but for what is given. */
  async function call<T = Made>(by: Visitor, name: string, change: Deed['input'] = {}): Promise<T> {
    const answer = await ask(by, name, change);
    if (answer.status >= 300) throw new Error(`${name} answered ${answer.status} ${answer.text}`);
    return answer.json as T;
  }

  async function upload(by: Visitor, path: string, body: Uint8Array): Promise<Made> {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await by.send('POST', `/api${path}`, { body, headers });
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
    return answer.json as Made;
  }

  async function player(person: Person): Promise<Player> {
    const visitor = await server.signIn(person);
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    return { ...visitor, person, id: person.id, email };
  }

  const newClient = async () => player(await addClient(db));
  const newProvider = async (terms?: Parameters<typeof addProvider>[1]) =>
    player(await addProvider(db, terms));

  async function newAdmin(): Promise<Player> {
    const chief = await addClient(db);
    await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', chief.id).execute();
    return player(chief);
  }

  const [admin, client, provider] = [await newAdmin(), await newClient(), await newProvider()];

  /** Signs somebody in who is signed in already. */
  async function signInAgain({ email }: Player): Promise<void> {
    const body = { email, password: demoPassword };
    await server.guest.send('POST', '/api/auth/sign-in/email', { body });
  }

  const inHours = (hours: number) =>
    systemNow()
      .add({ minutes: Math.round(hours * 60) })
      .round('second')
      .toString();

  /** Starts that are free, each on a day of its own, long past every notice. */
  async function freeStarts(by: Visitor, { id: providerId }: { id: string }): Promise<string[]> {
    const { starts } = await call<{ starts: string[] }>(by, 'booking.freeStarts', {
      providerId,
      from: inHours(24 * 5),
      to: inHours(24 * 25),
      sessionType: 'online',
      moving: undefined,
    });
    return starts.filter((start, at) => start.slice(0, 10) !== starts[at - 1]?.slice(0, 10));
  }

  /** A session to come of a new client with a new provider. */
  async function booked(terms?: Parameters<typeof addProvider>[1], serviceId = cast.serviceId) {
    const [who, whom] = [await newClient(), await newProvider(terms)];
    const [first, second, third] = await freeStarts(who, whom);
    const { appointments } = await call<{ appointments: Made[] }>(who, 'booking.book', {
      idempotencyKey: newId(),
      providerId: whom.id,
      serviceId,
      startsAt: first,
    });
    const appointmentId = appointments[0]!.id;
    return { client: who, provider: whom, appointmentId, other: second!, third: third! };
  }

  /** A session of the client with the provider, so many hours from now. */
  const session = (hours: number, status: 'completed' | 'confirmed', whom = provider) =>
    addSession(db, { client, provider: whom, start: inHours(hours), status });

  /** What asks for a session without an account, which the site allows from now on. */
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

  /** A request of somebody who has an account by now, with the token of its link. */
  async function requested() {
    const by = await newClient();
    const input = await request(by);
    await call(server.guest, 'booking.requests.ask', input);
    const job = server.database.as({ kind: 'job', name: 'mails' });
    const issued = await transact(job, (tx) => issueRequest(tx, input.idempotencyKey));
    return { by, requestId: input.idempotencyKey, token: issued!.token };
  }

  /** Somebody whom a provider of their own entered and invited by email. */
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

  /** A session for several people with somebody who was asked to it by mail. */
  async function asked() {
    const one = await booked({ services: ['couples'] }, 'couples');
    const email = `${newId()}@guests.example`;
    const input = { appointmentId: one.appointmentId, email };
    const { guests } = await call<{ guests: Made[] }>(one.client, 'guests.invite', input);
    await server.database.runJobs();
    const { starts_at } = await db
      .selectFrom('appointments')
      .select('starts_at')
      .where('id', '=', one.appointmentId)
      .executeTakeFirstOrThrow();
    const token = await mailedToken(server.database, email);
    return { ...one, guestId: guests[0]!.id, token, startsAt: starts_at.toISOString() };
  }

  async function accepting() {
    const { token, startsAt, appointmentId } = await asked();
    const guest = await newClient();
    await call(guest, 'guests.accept', { token, startsAt });
    return { guest, appointmentId };
  }

  /** A wait for a Sunday, on which nobody works, and a time that it was offered. */
  async function waiting() {
    const one = await booked();
    const { id: waitId } = await call(one.client, 'waitlist.ask', {
      ...sundays,
      providerId: one.provider.id,
      sessionType: 'online',
    });
    return { ...one, waitId };
  }

  async function offered() {
    const one = await waiting();
    const offerId = newId();
    await db
      .insertInto('wait_offers')
      .values({
        id: offerId,
        wait_id: one.waitId,
        starts_at: new Date(one.other),
        offered_at: new Date(),
        deadline: new Date(inHours(4)),
        state: 'open',
      })
      .execute();
    return { ...one, offerId };
  }

  const sundays = { weekdays: [7], untilDate: inHours(24 * 20).slice(0, 10) };

  /** A review that waits for a decision. */
  async function reviewed() {
    const appointmentId = await session(-5, 'completed');
    const { id: reviewId, revision } = await written(appointmentId);
    return { appointmentId, reviewId, revision };
  }

  async function written(appointmentId: string) {
    await call(client, 'reviews.write', { appointmentId });
    return db
      .selectFrom('reviews')
      .select(['id', 'revision'])
      .where('appointment_id', '=', appointmentId)
      .executeTakeFirstOrThrow();
  }

  async function published() {
    const one = await reviewed();
    await call(admin, 'reviews.approve', one);
    return one;
  }

  async function replied() {
    const { reviewId } = await published();
    await call(provider, 'reviews.replies.write', { reviewId });
    return { reviewId, revision: 1 };
  }

  async function conversation() {
    const [who, whom] = [await newClient(), await newProvider()];
    const conversationId = newId();
    await call(who, 'messaging.conversations.open', {
      conversationId,
      withId: whom.id,
      messageId: newId(),
    });
    return { conversationId, client: who, provider: whom };
  }

  const emergency = async () => {
    const { client: first, provider: second, conversationId } = await conversation();
    const input = {
      firstEmail: first.email,
      secondEmail: second.email,
      confirmation: emergencyPhrase,
      password: demoPassword,
    };
    return { input, conversationId };
  };

  const draft = (by: Visitor) =>
    call<Made & { version: number }>(by, 'resources.saveDraft', {
      resourceId: undefined,
      version: undefined,
    });

  async function submitted() {
    const { id: resourceId } = await draft(provider);
    const { version } = await call<{ version: number }>(provider, 'resources.submit', { resourceId });
    return { resourceId, version };
  }

  async function resource() {
    const { id: resourceId } = await draft(admin);
    await call(admin, 'resources.publish', { resourceId });
    return resourceId;
  }

  const goal = () => call<Made & { steps: Made[] }>(client, 'growth.goals.add');
  const entry = () => call(client, 'growth.journal.write', { date: undefined });

  /** A request to pray that the provider was sent. */
  async function prayer() {
    await session(-8, 'completed');
    const { id } = await call(client, 'growth.prayers.ask', { providerId: provider.id });
    await db.deleteFrom('rate_limits').where('key', 'like', 'prayer:%').execute();
    return id;
  }

  const document = (by: Visitor) => upload(by, `/application/documents?name=licence.pdf`, pdf());

  async function applying() {
    const by = await newClient();
    const { id } = await document(by);
    return { by, documentId: id };
  }

  async function applied() {
    const { by, documentId } = await applying();
    const { id } = await call(by, 'providers.applications.submit', { documentIds: [documentId] });
    return { by, applicationId: id };
  }

  /** The same, each document of which the administrator has opened. */
  async function checked() {
    const one = await applied();
    const { documents } = await call<{ documents: { path: string }[] }>(
      admin,
      'providers.applications.check',
      { applicationId: one.applicationId },
    );
    for (const { path } of documents) await admin.send('GET', path);
    return one;
  }

  async function credential() {
    const by = await newProvider();
    const { id } = await call(by, 'providers.credentials.submit', { replaces: undefined });
    return { by, credentialId: id };
  }

  const place = () => call(provider, 'providers.places.add');
  const service = () =>
    call<Made & { version: number }>(admin, 'catalogue.add', { title: `Care ${newId()}` });
  const file = () => upload(client, '/files?name=letter.pdf', pdf());

  async function bucket() {
    const id = `letters-${newId().slice(-8)}`;
    await call(admin, 'files.buckets.create', { id });
    return id;
  }

  async function block() {
    const [startsAt, endsAt] = [inHours(24 * 40 + (blocks += 2)), inHours(24 * 40 + blocks + 1)];
    const { id } = await call(provider, 'availability.block', { startsAt, endsAt });
    return id;
  }
  let blocks = 0;

  const flags = () => call<FlagView[]>(admin, 'flags.list');
  const flag = async (id: string) => (await flags()).find((one) => one.id === id)!;

  /** What would bring the flags back to what they are delivered as. */
  const flagChanges = async () =>
    bulkChanges('reset', await flags()).map((one) => ({ flagId: one.flag.id, version: one.flag.version }));

  /** A flag that is the only one to have been turned. */
  async function turnedFlag() {
    const expected = await flagChanges();
    if (expected.length > 0) await call(admin, 'flags.changeMany', { expected });
    const { id: flagId, version } = await flag('mobile_app_access');
    await call(admin, 'flags.turn', { flagId, version, enabled: false });
    return flagId;
  }

  async function withFactor() {
    const { id, version, enabled } = await flag('two_factor_authentication');
    if (!enabled) await call(admin, 'flags.turn', { flagId: id, version, enabled: true });
    // The feature is for those who serve.
    const by = await newProvider();
    const { secret } = await call<{ secret: string }>(by, 'secondFactor.begin', { password: demoPassword });
    return { by, code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() };
  }

  async function confirmedFactor() {
    const { by, code } = await withFactor();
    const { backupCodes } = await call<{ backupCodes: string[] }>(by, 'secondFactor.confirm', { code });
    return Object.assign(by, { backupCode: backupCodes[0]! });
  }

  /** Somebody whose address an administrator has changed, with the token of the link in their former mailbox. */
  async function readdressed(): Promise<{ id: string; token: string }> {
    const { id, email } = await newClient();
    const { version } = await call<{ version: string }>(admin, 'directory.open', { userId: id });
    await call(admin, 'directory.edit', { userId: id, version, email: `${newId()}@weiss.example` });
    const mails = await server.database.readMails((rows) => rows.where('recipient', '=', email));
    const all = mails.map(({ text_body }) => text_body).join('\n');
    return { id, token: /address-change\?token=([\w-]+)/.exec(all)![1]! };
  }

  const settingsVersion = async () => (await call<{ version: number }>(admin, 'settings.admin')).version;

  async function contactForm() {
    const form = await call<{ token: string; challenge: string; waitSeconds: number }>(
      server.guest,
      'contact.form',
    );
    let solution: number | null = null;
    for (let from = 1; solution === null; from += 4_000)
      solution = solutionAmong(form.challenge, from, 4_000);
    // A form that is sent at once is a robot's.
    await new Promise((resolve) => setTimeout(resolve, form.waitSeconds * 1_000 + 50));
    return { token: form.token, solution };
  }

  const note = (part: 'notes' | 'privateNotes') =>
    session(-5, 'completed').then((appointmentId) =>
      call(provider, `care.${part}.write`, { clientId: client.id, appointmentId }),
    );

  let theMessage: Promise<string> | null = null;
  const message = () => (theMessage ??= sendMessage());

  async function sendMessage() {
    await call(server.guest, 'contact.send', await contactForm());
    const { id } = await db
      .selectFrom('contact_messages')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** A provider to whom the client shows what they may show. */
  async function sharedWith() {
    const by = await newProvider();
    await session(-5, 'completed', by);
    await call(client, 'care.sharing.set', { providerId: by.id, progress: true });
    return by;
  }

  /** The id of the newest row of a table. */
  async function newest(table: 'bookings' | 'reviews' | 'contact_messages' | 'provider_credentials') {
    const at = {
      bookings: 'id',
      reviews: 'written_at',
      contact_messages: 'id',
      provider_credentials: 'id',
    } as const;
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(table)} order by ${sql.ref(at[table])} desc limit 1`.execute(db);
    return rows[0]!.id;
  }

  /** The token of a mail's link by which the client stops such mails. */
  /** An email that couldn't be delivered. */
  async function failedMail(): Promise<string> {
    const id = newId();
    const mail = {
      kind: 'welcome',
      to: 'ann@people.example',
      subject: 'Hello',
      text: 'Hi',
      html: 'Hi',
    } as const;
    await sendMail(server.database.as({ kind: 'system' }), { ...mail, key: id });
    const failed = await db
      .updateTable('mails')
      .set({ failed_at: new Date(), fault: '550 5.1.1' })
      .where('key', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow();
    return failed.id;
  }

  function mailToken() {
    const { appUrl, authSecret: secret } = server.config;
    const { oneClick } = unsubscribeLinks({ appUrl, secret }, 'devotional', client.id);
    return new URL(oneClick).searchParams.get('token');
  }

  return {
    cast,
    admin,
    client,
    provider,
    ask,
    sent,
    call,
    upload,
    newClient,
    newProvider,
    inHours,
    freeStarts,
    booked,
    session,
    asked,
    accepting,
    waiting,
    offered,
    reviewed,
    published,
    replied,
    conversation,
    request,
    requested,
    caller,
    emergency,
    draft,
    submitted,
    resource,
    goal,
    entry,
    prayer,
    applying,
    applied,
    checked,
    credential,
    place,
    service,
    file,
    bucket,
    block,
    flag,
    withFactor,
    confirmedFactor,
    readdressed,
    settingsVersion,
    contactForm,
    message,
    note,
    signInAgain,
    newAdmin,
    flagChanges,
    turnedFlag,
    failedMail,
    mailToken,
    sharedWith,
    newest,
    sundays,
  };
}
