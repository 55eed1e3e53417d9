import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  changeRole,
  reactivateUser,
  removeUser,
  suspendUser,
} from '#/features/accounts/account-status/commands.ts';
import { editUser, exportUsers, listUsers, openUser } from '#/features/accounts/users/commands.ts';
import type { ListInput } from '#/features/accounts/users/contract.ts';
import { userFigures } from '#/features/accounts/users/queries.ts';
import type { UserOrder } from '#/features/accounts/users/rules.ts';
import { requestDeletion } from '#/features/accounts/deletion/commands.ts';
import { makeLinkToken, setPassword } from '#/features/accounts/commands.ts';
import { requireSpecialist } from '#/features/providers/policies.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../tests/support/database.ts';
import { identitiesOf, password } from '../../tests/support/identity.ts';
import { allReceived } from '../../tests/support/outbox.ts';
import {
  addAdministrator,
  addClient,
  addProvider,
  freshSession,
  type Person,
} from '../../tests/support/people.ts';
import { addSession } from '../../tests/support/sessions.ts';
import { hashOf } from '../../tests/support/passwords.ts';
import { personalReactions } from './personal.ts';
import { accountEffects } from './account-effects.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z', poolSize: 8 });
const { db, as, runJobs, readMails } = database;
const { production, send, signIn, actorOf, verified } = identitiesOf(database);
const adminEmails = ['heir@italk.test'];
const effects = accountEffects({ adminEmails, appUrl: 'https://italk.example' });

/** Notifications between processes; an empty message closes sockets. */
const received: string[] = [];
const listener = new pg.Client({ connectionString: database.url });
beforeAll(async () => {
  await listener.connect();
  listener.on('notification', ({ payload }) => received.push(payload ?? ''));
  await listener.query('listen realtime');
});
afterAll(() => listener.end());

async function newAdministrator(): Promise<Person> {
  const person = await addAdministrator(db);
  adminEmails.push(await emailOf(person.id));
  return person;
}

let chief: Person;
let other: Person;
beforeEach(async () => {
  await db.updateTable('profiles').set({ role: 'client' }).where('role', '=', 'super_admin').execute();
  chief = await newAdministrator();
  other = await newAdministrator();
});

const profileOf = (id: string) =>
  db.selectFrom('profiles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const providerOf = (id: string) =>
  db.selectFrom('providers').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const emailOf = async (id: string) =>
  (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;
const entries = (action: string, subject: string) =>
  db
    .selectFrom('audit_entries')
    .select(['actor_id', 'details'])
    .where('action', '=', action)
    .where('subject_id', '=', subject)
    .orderBy('id')
    .execute();
/** Whether the sockets of all their sessions were closed. */
async function closedDuring(id: string, work: () => Promise<unknown>): Promise<boolean> {
  const open = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
  await allReceived(listener);
  received.length = 0;
  await work();
  await allReceived(listener);
  const closes = received.filter((text) => text.includes('"message":null'));
  const isClosed = (session: string) => closes.some((text) => text.includes(`"session:${session}"`));
  return open.length > 0 && open.every((session) => isClosed(session.id));
}

describe('the directory', () => {
  const word = 'zweig';
  const orders: readonly UserOrder[] = ['name', 'joined', 'lastActive'];

  async function pages(input: Partial<ListInput>): Promise<string[]> {
    const ids: string[] = [];
    let beyond: ListInput['beyond'];
    do {
      const page = await listUsers(as(chief), {
        search: word,
        order: 'name',
        descending: false,
        limit: 7,
        ...input,
        beyond,
      });
      ids.push(...page.users.map(({ id }) => id));
      beyond = page.beyond ?? undefined;
    } while (beyond);
    return ids;
  }

  beforeAll(async () => {
    // Duplicates of every sort value, so only the id breaks ties.
    for (let number = 0; number < 40; number++) {
      const { id } = await addClient(db);
      const name = `${['anna', 'Bela', 'ANNA', 'Dora'][number % 4]} ${word} ${number % 5}`;
      await db.updateTable('users').set({ name }).where('id', '=', id).execute();
      await db
        .updateTable('profiles')
        .set({
          full_name: name,
          role: number % 10 === 3 ? 'pastor' : 'client',
          created_at: new Date(Date.UTC(2025, number % 6, 1)),
          last_active_at:
            number % 3 === 0 ? null : new Date(Date.UTC(2026, (number % 3) - 1, 1 + (number % 7))),
          suspended_at: number % 9 === 4 ? new Date('2026-01-01T00:00:00Z') : null,
        })
        .where('id', '=', id)
        .execute();
    }
  });

  test.each(orders.flatMap((order) => [false, true].map((descending) => [order, descending] as const)))(
    'pages by %s, descending: %s, with each person once',
    async (order, descending) => {
      const rows = await db
        .selectFrom('profiles')
        .selectAll()
        .where('full_name', 'like', `%${word}%`)
        .execute();
      const key = (row: (typeof rows)[number]): string | number =>
        order === 'name'
          ? row.full_name.toLowerCase()
          : order === 'joined'
            ? row.created_at.getTime()
            : (row.last_active_at?.getTime() ?? 0);
      const ids = await pages({ order, descending });
      expect(ids.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
      const byId = new Map(rows.map((row) => [row.id, row]));
      const shown = ids.map((id) => byId.get(id)!);
      for (const [index, row] of shown.entries()) {
        const next = shown[index + 1];
        if (!next) continue;
        const [first, second] = descending ? [next, row] : [row, next];
        const inOrder = key(first) === key(second) ? first.id < second.id : key(first) < key(second);
        expect(inOrder).toBe(true);
      }
    },
  );

  test('filters by name, address, role and status, and counts the matches', async () => {
    expect(await pages({ search: 'ZWEIG bel' })).toHaveLength(10);
    expect(await pages({ role: 'pastor' })).toHaveLength(4);
    const now = as(chief).now();
    const rows = await db
      .selectFrom('profiles')
      .selectAll()
      .where('full_name', 'like', `%${word}%`)
      .execute();
    const since = now.subtract({ hours: 24 * 90 }).epochMilliseconds;
    const fits = {
      suspended: rows.filter((row) => row.suspended_at),
      active: rows.filter((row) => !row.suspended_at && (row.last_active_at?.getTime() ?? 0) >= since),
      inactive: rows.filter((row) => !row.suspended_at && (row.last_active_at?.getTime() ?? 0) < since),
    };
    for (const status of ['suspended', 'active', 'inactive'] as const) {
      expect(fits[status].length).toBeGreaterThan(0);
      expect((await pages({ status })).toSorted()).toEqual(fits[status].map(({ id }) => id).toSorted());
      const listed = { search: word, status, order: 'name', descending: false, limit: 5 } as const;
      const { found } = await listUsers(as(chief), listed);
      expect(found).toEqual({ count: fits[status].length, more: false });
    }
    const [someone] = rows;
    const email = await emailOf(someone!.id);
    expect(await pages({ search: email.slice(3, -3).toUpperCase() })).toEqual([someone!.id]);
    // LIKE wildcards match literally.
    expect(await pages({ search: 'zwe_g' })).toEqual([]);
    expect(await pages({ search: '%' })).toEqual([]);
  });

  test('has stats that exclude erased and soon-to-be-erased accounts', async () => {
    const before = await userFigures(as(chief));
    const gone = await addClient(db);
    const going = await addClient(db);
    const doctor = await addProvider(db);
    expect(await userFigures(as(chief))).toEqual({
      ...before,
      users: before.users + 3,
      clients: before.clients + 2,
      doctors: before.doctors + 1,
    });
    await db.updateTable('profiles').set({ erased_at: new Date() }).where('id', '=', gone.id).execute();
    await removeUser(as(chief), effects, { userId: going.id, email: await emailOf(going.id) });
    expect((await userFigures(as(chief))).clients).toBe(before.clients + 1);
    for (const { id } of [gone, going]) {
      expect(await pages({ search: id })).toEqual([]);
      await expect(openUser(as(chief), effects, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await pages({ search: doctor.id })).toEqual([doctor.id]);
  });

  test('is readable and editable only by administrators', async () => {
    const stranger = as(await addClient(db));
    const userId = other.id;
    for (const attempt of [
      () => listUsers(stranger, { search: '', order: 'name', descending: false, limit: 5 }),
      () => openUser(stranger, effects, userId),
      () => changeRole(stranger, effects, { userId, from: 'super_admin', to: 'client' }),
      () => suspendUser(stranger, effects, { userId, reason: 'other' }),
      () => exportUsers(stranger, { search: '' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('the exported file', () => {
  test('has one line per person, is safe in spreadsheets, and is logged', async () => {
    const { id } = await addClient(db);
    const name = '=HYPERLINK("https://evil.example","Zehra")';
    await db.updateTable('users').set({ name }).where('id', '=', id).execute();
    await db.updateTable('profiles').set({ full_name: name }).where('id', '=', id).execute();
    const { text, rows, beyond } = await exportUsers(as(chief), { search: id });
    const joined = (await profileOf(id)).created_at.toISOString();
    expect([rows, beyond]).toEqual([1, null]);
    expect(text).toBe(
      'id,name,email,role,status,joinDate,lastActive\r\n' +
        `${id},"'=HYPERLINK(""https://evil.example"",""Zehra"")",${await emailOf(id)},client,inactive,${joined},\r\n`,
    );
    const noted = await db
      .selectFrom('audit_entries')
      .select('details')
      .where('action', '=', 'users_exported')
      .where('actor_id', '=', chief.id)
      .orderBy('id')
      .execute();
    expect(noted).toEqual([
      { details: { rows: 1, part: 'first', searched: true, role: null, status: null } },
    ]);
  });
});

describe('editing', () => {
  test('saves changes, notifies both addresses, and is logged with the previous view', async () => {
    const { id } = await verified('naomi@italk.test');
    const opened = await openUser(as(chief), effects, id);
    expect(await entries('user_viewed', id)).toEqual([{ actor_id: chief.id, details: {} }]);
    await runJobs();
    await db.deleteFrom('mails').execute();
    const edited = await editUser(as(chief), effects, {
      userId: id,
      version: opened.version,
      fullName: 'Naomi Weiss',
      email: 'weiss@italk.test',
      timeZone: 'America/Chicago',
    });
    expect(edited).toMatchObject({
      name: 'Naomi Weiss',
      email: 'weiss@italk.test',
      emailVerified: false,
      timeZone: 'America/Chicago',
    });
    expect(await entries('user_edited', id)).toEqual([
      { actor_id: chief.id, details: { changed: 'name email timeZone' } },
    ]);
    await runJobs();
    const mails = await readMails();
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual([
      'naomi@italk.test',
      'weiss@italk.test',
    ]);
    const of = (to: string) => mails.find(({ recipient }) => recipient === to)!.text_body;
    expect(of('weiss@italk.test')).not.toContain('#');
    expect(of('naomi@italk.test')).toContain('/address-change#');
    expect(of('naomi@italk.test')).not.toContain('weiss@italk.test');
    expect(await signIn(production, 'weiss@italk.test')).toMatchObject({
      status: 403,
      body: { reason: 'address_held' },
    });
  });

  test('overwrites no concurrent change: one of two simultaneous edits wins', async () => {
    const { id } = await addClient(db);
    const { version, email } = await openUser(as(chief), effects, id);
    const edit = (who: Person, fullName: string) =>
      editUser(as(who), effects, { userId: id, version, fullName, email });
    const outcomes = await Promise.allSettled([edit(chief, 'Anna One'), edit(other, 'Anna Two')]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const refused = outcomes.find((one) => one.status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: 'conflict', reason: 'changed_meanwhile' });
    await expect(edit(chief, 'Anna Three')).rejects.toMatchObject({ reason: 'changed_meanwhile' });
  });

  test('accepts an edit repeated after a lost answer, once', async () => {
    const { id } = await addClient(db);
    const { version } = await openUser(as(chief), effects, id);
    const change = { userId: id, version, fullName: 'Anna Weiss', email: 'anna.weiss@italk.test' };
    const edited = await editUser(as(chief), effects, change);
    expect(await editUser(as(other), effects, change)).toEqual(edited);
    expect(await entries('user_edited', id)).toHaveLength(1);
  });

  test('rejects a taken address, an invalid time zone, and an administrator’s address', async () => {
    const [one, two] = [await addClient(db), await addClient(db)];
    const { version, email, name } = await openUser(as(chief), effects, one.id);
    const edit = (change: object) =>
      editUser(as(chief), effects, { userId: one.id, version, fullName: name, email, ...change });
    await expect(edit({ email: await emailOf(two.id) })).rejects.toMatchObject({
      code: 'conflict',
      fields: [{ field: 'email', reason: 'address_taken' }],
    });
    await expect(edit({ timeZone: 'Mars/Olympus' })).rejects.toMatchObject({ reason: 'unknown_zone' });
    expect(await emailOf(one.id)).toBe(email);
    const own = await openUser(as(chief), effects, other.id);
    const change = { userId: other.id, version: own.version, fullName: 'Other Name', email: 'x@italk.test' };
    await expect(editUser(as(chief), effects, change)).rejects.toMatchObject({
      code: 'precondition',
      reason: 'administrator_address',
    });
    expect(await editUser(as(chief), effects, { ...change, email: own.email })).toMatchObject({
      name: 'Other Name',
    });
  });
});

describe('changing a role', () => {
  test('notifies the person by email without naming roles', async () => {
    const { id } = await addProvider(db);
    await runJobs();
    await db.deleteFrom('mails').execute();
    for (let twice = 0; twice < 2; twice++)
      await changeRole(as(chief), effects, { userId: id, from: 'doctor', to: 'client' });
    const mails = await mailsTo(await emailOf(id));
    expect(mails.map(({ subject }) => subject)).toEqual([
      'An administrator changed your iTalk Health account',
    ]);
    expect(mails[0]!.text_body).toMatch(/Sign in again[^]*Write to \S+@/);
    expect(mails[0]!.text_body).not.toMatch(/doctor|client/i);
  });

  test('hides a specialist’s listing, and restores it unchanged under the other kind', async () => {
    const { id } = await freshSession(db, await addProvider(db));
    const change = (from: 'client' | 'doctor' | 'pastor', to: 'client' | 'doctor' | 'pastor') =>
      changeRole(as(chief), effects, { userId: id, from, to });
    expect(await closedDuring(id, () => change('doctor', 'client'))).toBe(true);
    await expect(requireSpecialist(as({ kind: 'guest' }), id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await change('client', 'pastor')).toMatchObject({ role: 'pastor' });
    expect(await requireSpecialist(as({ kind: 'guest' }), id)).toMatchObject({ kind: 'pastor' });
    await db.updateTable('providers').set({ listed: false }).where('id', '=', id).execute();
    await change('pastor', 'client');
    await change('client', 'doctor');
    expect(await providerOf(id)).toMatchObject({
      listed: false,
      listed_before_deletion: null,
      kind: 'doctor',
    });
    expect((await entries('role_changed', id)).map(({ details }) => details)).toEqual([
      { role: 'doctor → client' },
      { role: 'client → pastor' },
      { role: 'pastor → client' },
      { role: 'client → doctor' },
    ]);
  });

  test('waits until a specialist has no upcoming session', async () => {
    const provider = await addProvider(db);
    const client = await addClient(db);
    await addSession(db, { client, provider });
    const end = () => changeRole(as(chief), effects, { userId: provider.id, from: 'doctor', to: 'client' });
    await addSession(db, { client, provider, start: '2026-03-09T15:00:00Z', status: 'confirmed' });
    await expect(end()).rejects.toMatchObject({ code: 'precondition', reason: 'sessions_to_come' });
    expect(await profileOf(provider.id)).toMatchObject({ role: 'doctor' });
    expect((await openUser(as(chief), effects, client.id)).comingSessions).toBe(1);
    await db
      .updateTable('appointments')
      .set({ status: 'cancelled' })
      .where('provider_id', '=', provider.id)
      .execute();
    expect(await end()).toMatchObject({ role: 'client' });
  });

  test('requires a listing for specialists, and a verified configured address for administrators', async () => {
    const { id } = await addClient(db);
    const give = (userId: string, to: 'doctor' | 'super_admin') =>
      changeRole(as(chief), effects, { userId, from: 'client', to });
    const refused = { code: 'precondition', reason: 'role_not_offered' };
    await expect(give(id, 'doctor')).rejects.toMatchObject(refused);
    await expect(give(id, 'super_admin')).rejects.toMatchObject(refused);
    await db.updateTable('users').set({ email: 'heir@italk.test' }).where('id', '=', id).execute();
    await expect(give(id, 'super_admin')).rejects.toMatchObject(refused);
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', id).execute();
    expect(await give(id, 'super_admin')).toMatchObject({ role: 'super_admin' });
    expect((await profileOf(id)).administration_granted_at).not.toBeNull();
    await db
      .updateTable('users')
      .set({ email: `${id}@people.example` })
      .where('id', '=', id)
      .execute();
  });

  test('judges an expired license and an ordination by the new role', async () => {
    const { id } = await addProvider(db);
    await db.updateTable('profiles').set({ role: 'pastor' }).where('id', '=', id).execute();
    await db.updateTable('providers').set({ kind: 'pastor' }).where('id', '=', id).execute();
    const credential = {
      provider_id: id,
      number: '1',
      issuer: 'The board',
      region: 'Ohio',
      reason: null,
      replaces: null,
      state: 'approved' as const,
      submitted_at: new Date('2026-01-02T12:00:00Z'),
      decided_at: new Date('2026-01-02T12:00:00Z'),
      decided_by: null,
    };
    await db
      .insertInto('provider_credentials')
      .values([
        { ...credential, id: newId(), kind: 'ordination', expires_on: null },
        { ...credential, id: newId(), kind: 'licence', expires_on: '2026-02-28' },
      ])
      .execute();
    await changeRole(as(chief), effects, { userId: id, from: 'pastor', to: 'doctor' });
    expect(await providerOf(id)).toMatchObject({ listed: false, licensed_until: '2026-02-28' });
    await changeRole(as(chief), effects, { userId: id, from: 'doctor', to: 'pastor' });
    expect(await providerOf(id)).toMatchObject({ listed: true, licensed_until: null });
  });

  test('requires the role that the administrator saw', async () => {
    const { id } = await addProvider(db);
    await expect(
      changeRole(as(chief), effects, { userId: id, from: 'client', to: 'pastor' }),
    ).rejects.toMatchObject({ code: 'conflict', reason: 'changed_meanwhile' });
  });
});

const mailsTo = (address: string) => readMails((rows) => rows.where('recipient', '=', address));

describe('suspending', () => {
  test('revokes emailed links, and links requested meanwhile set no password', async () => {
    const email = 'linked@italk.test';
    const { id } = await verified(email);
    const guest = as({ kind: 'guest' });
    const useLink = (token: string) =>
      send(production, '/reset-password', { token, newPassword: 'a-password-of-another' });
    const before = await makeLinkToken(guest, 'reset-password', id);
    await suspendUser(as(chief), effects, { userId: id, reason: 'safety' });
    const meanwhile = await makeLinkToken(guest, 'reset-password', id);
    expect(await useLink(meanwhile)).toMatchObject({ status: 403, body: { reason: 'account_suspended' } });
    await reactivateUser(as(chief), effects, id);
    expect(await useLink(before)).toMatchObject({ status: 412, body: { reason: 'link_expired' } });
    expect((await signIn(production, email)).status).toBe(200);
  });

  test('emails the person about suspension and reactivation, with a contact and no reason', async () => {
    const address = 'told@italk.test';
    const { id } = await verified(address);
    await runJobs();
    await db.deleteFrom('mails').execute();
    for (let twice = 0; twice < 2; twice++)
      await suspendUser(as(chief), effects, { userId: id, reason: 'misuse' });
    for (let twice = 0; twice < 2; twice++) await reactivateUser(as(chief), effects, id);
    const mails = await mailsTo(address);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'Your iTalk Health account is suspended',
      'Your iTalk Health account is open again',
    ]);
    const { support_email } = await db
      .selectFrom('site_settings')
      .select('support_email')
      .executeTakeFirstOrThrow();
    for (const { text_body } of mails) {
      expect(text_body).toContain(`Write to ${support_email}`);
      expect(text_body).not.toMatch(/misuse|#/i);
    }
  });

  test('signs the person out everywhere, blocks sign-in, and can be undone', async () => {
    const { id, cookie } = await verified('ruth@italk.test');
    expect(await actorOf(production, cookie)).toMatchObject({ kind: 'person', id });
    expect((await profileOf(id)).last_active_at).toEqual(new Date('2026-03-02T12:00:00Z'));
    const suspend = () => suspendUser(as(chief), effects, { userId: id, reason: 'safety' });
    expect(await closedDuring(id, suspend)).toBe(true);
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    expect(await db.selectFrom('sessions').where('user_id', '=', id).select('id').execute()).toEqual([]);
    expect(await signIn(production, 'ruth@italk.test')).toMatchObject({
      status: 403,
      body: { code: 'forbidden', reason: 'account_suspended' },
    });
    expect(await signIn(production, 'ruth@italk.test', 'not the password')).toMatchObject({
      body: { reason: 'wrong_credentials' },
    });
    expect(await entries('user_suspended', id)).toEqual([
      { actor_id: chief.id, details: { reason: 'safety' } },
    ]);
    await reactivateUser(as(chief), effects, id);
    expect(await signIn(production, 'ruth@italk.test')).toMatchObject({ status: 200 });
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
  });

  test('overrides an existing sign-in session', async () => {
    const { id, cookie } = await verified('still@italk.test');
    await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', id).execute();
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
  });

  test('hides a specialist, and restores them unchanged', async () => {
    const [shown, hidden] = [await addProvider(db), await addProvider(db, { listed: false })];
    for (const { id } of [shown, hidden]) {
      await suspendUser(as(chief), effects, { userId: id, reason: 'conduct' });
      expect(await providerOf(id)).toMatchObject({ listed: false });
      await expect(requireSpecialist(as({ kind: 'guest' }), id)).rejects.toMatchObject({ code: 'not_found' });
      await reactivateUser(as(chief), effects, id);
    }
    expect(await providerOf(shown.id)).toMatchObject({ listed: true, listed_before_deletion: null });
    expect(await providerOf(hidden.id)).toMatchObject({ listed: false, listed_before_deletion: null });
  });

  test('ends a sign-in that races with it', async () => {
    for (let round = 0; round < 5; round++) {
      const email = `race${round}@italk.test`;
      const { id } = await verified(email);
      const [answer] = await Promise.all([
        signIn(production, email),
        suspendUser(as(chief), effects, { userId: id, reason: 'other' }),
      ]);
      expect(await actorOf(production, answer.cookie)).toEqual({ kind: 'guest' });
      expect(await db.selectFrom('sessions').where('user_id', '=', id).select('id').execute()).toEqual([]);
    }
  });
});

describe('deleting', () => {
  test('requires the typed address, ends sessions immediately, and erases the account in a job', async () => {
    const { id, cookie } = await verified('leaving@italk.test');
    const provider = await addProvider(db);
    await addSession(db, { client: { id }, provider, start: '2026-03-10T15:00:00Z', status: 'confirmed' });
    const remove = (email: string) => removeUser(as(chief), effects, { userId: id, email });
    await expect(remove('ruth@italk.test')).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ field: 'email', reason: 'other_address' }],
    });
    expect(await closedDuring(id, () => remove('Leaving@Italk.Test'))).toBe(true);
    expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    expect(await signIn(production, 'leaving@italk.test')).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', reason: 'wrong_credentials' },
    });
    await runJobs();
    expect(await profileOf(id)).toMatchObject({ full_name: 'Deleted account', last_active_at: null });
    expect((await profileOf(id)).erased_at).not.toBeNull();
    const sessions = await db
      .selectFrom('appointments')
      .select('status')
      .where('client_id', '=', id)
      .execute();
    expect(sessions).toEqual([{ status: 'cancelled' }]);
    expect(await entries('user_deleted', id)).toHaveLength(1);
  });

  test('emails the person, and deletes that email hours after the erasure', async () => {
    const address = 'farewell@italk.test';
    const { id } = await verified(address);
    await removeUser(as(chief), effects, { userId: id, email: address });
    await runJobs();
    expect((await profileOf(id)).erased_at).not.toBeNull();
    const mails = await mailsTo(address);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your iTalk Health account is deleted']);
    expect(mails[0]!.text_body).toMatch(/erased[^]*Write to \S+@/);
    const erasure = personalReactions.find(({ name }) => name === 'personal.erase')!;
    database.setNow('2026-03-02T14:00:00Z');
    await erasure.handle(as({ kind: 'job', name: erasure.name }), { userId: id }, { id, requestId: id });
    database.setNow('2026-03-02T12:00:00Z');
    expect(await mailsTo(address)).toEqual([]);
  });
});

describe('the last administrator', () => {
  const acts = (who: Person, whom: Person) => ({
    demote: () => changeRole(as(who), effects, { userId: whom.id, from: 'super_admin', to: 'client' }),
    suspend: () => suspendUser(as(who), effects, { userId: whom.id, reason: 'asked' }),
    remove: async () => removeUser(as(who), effects, { userId: whom.id, email: await emailOf(whom.id) }),
  });

  test('can’t suspend, demote or delete themselves', async () => {
    for (const act of Object.values(acts(chief, chief)))
      await expect(act()).rejects.toMatchObject({ code: 'precondition', reason: 'yourself' });
    expect(await profileOf(chief.id)).toMatchObject({ role: 'super_admin', suspended_at: null });
  });

  test('stays even when the acting administrator is about to be removed', async () => {
    await transact(as({ kind: 'system' }), async (tx) => setPassword(tx, chief.id, await hashOf(password)));
    chief = await freshSession(db, chief);
    await requestDeletion(as(chief), adminEmails, { password });
    for (const act of Object.values(acts(chief, other)))
      await expect(act()).rejects.toMatchObject({ code: 'precondition', reason: 'last_administrator' });
    expect(await profileOf(other.id)).toMatchObject({ role: 'super_admin', suspended_at: null });
  });

  test.each(['demote', 'suspend', 'remove'] as const)(
    'remains when two %s each other at once',
    async (act) => {
      for (let round = 0; round < 6; round++) {
        const [one, two] = [await newAdministrator(), await newAdministrator()];
        await db
          .updateTable('profiles')
          .set({ role: 'client' })
          .where('role', '=', 'super_admin')
          .where('id', 'not in', [one.id, two.id])
          .execute();
        const outcomes = await Promise.allSettled([acts(one, two)[act](), acts(two, one)[act]()]);
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
        const refused = outcomes.find((outcome) => outcome.status === 'rejected') as PromiseRejectedResult;
        expect(refused.reason).toMatchObject({ code: 'forbidden', reason: 'capability_missing' });
        const left = await db
          .selectFrom('profiles')
          .select('id')
          .where('role', '=', 'super_admin')
          .where('suspended_at', 'is', null)
          .where('delete_after', 'is', null)
          .execute();
        expect(left).toHaveLength(1);
      }
    },
  );
});
