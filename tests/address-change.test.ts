import { Secret, TOTP } from 'otpauth';
import { beforeEach, expect, test } from 'vitest';
import {
  changeAddress,
  confirmAddressChange,
  deleteExpiredChanges,
  readAddressChange,
  undoAddressChange,
} from '#/features/accounts/address-change/commands.ts';
import { confirmAddress, createAccount, makeLinkToken } from '#/features/accounts/commands.ts';
import { opensLink } from '#/features/accounts/queries.ts';
import { beginSecondFactor, confirmSecondFactor } from '#/features/accounts/second-factor/commands.ts';
import { editUser, openUser } from '#/features/accounts/users/commands.ts';
import { requestExport } from '#/features/accounts/export/commands.ts';
import { selfOf } from '#/features/access/rules.ts';
import { makeFeed } from '#/features/appointments/feed/commands.ts';
import { ownFeed } from '#/features/appointments/feed/queries.ts';
import { claimAccount, createUnclaimed } from '#/features/accounts/unclaimed/commands.ts';
import { writeNote } from '#/features/care/notes/commands.ts';
import { writeEntry } from '#/features/growth/journal/commands.ts';
import { requireJournaling } from '#/features/growth/journal/policies.ts';
import type { Ctx } from '#/platform/context.ts';
import { newId } from '#/platform/clock.ts';
import { transact } from '#/platform/db/transact.ts';
import { accountEffects } from '#/app/account-effects.ts';
import { requireFeedOwner } from '#/features/appointments/appointment/policies.ts';
import { testDatabase } from './support/database.ts';
import { identitiesOf, password } from './support/identity.ts';
import { addAdministrator, addClient, addProvider, freshSession, type Person } from './support/people.ts';
import { unlocked } from './support/words.ts';
import { addSession } from './support/sessions.ts';
import { blockedConnections } from './support/locks.ts';

const database = await testDatabase({ now: '2026-03-02T12:00:00Z', poolSize: 8 });
const { db, as, runJobs, setNow, readMails } = database;
const { production, guest, send, signIn, signUp, verified, actorOf } = identitiesOf(database);
const effects = accountEffects({ adminEmails: [], appUrl: 'https://italk.example' });
const start = Temporal.Instant.from('2026-03-02T12:00:00Z');
const later = (hours: number) => setNow(start.add({ minutes: Math.round(hours * 60) }).toString());

let chief: Person;
let people = 0;
beforeEach(async () => {
  later(0);
  chief = await addAdministrator(db);
  await runJobs();
  await db.deleteFrom('mails').execute();
});

/** A person who signed up and wrote a journal entry. */
async function owner() {
  people += 1;
  const email = `owner${people}@italk.test`;
  const { id, cookie } = await verified(email);
  // Better Auth uses the machine's clock.
  await db
    .updateTable('credentials')
    .set({ updated_at: new Date(start.epochMilliseconds) })
    .where('user_id', '=', id)
    .execute();
  const actor = await actorOf(production, cookie);
  const ctx = as(actor);
  await writeEntry(await unlocked(ctx), { text: 'Only I may read this.' });
  return { id, email, cookie, ctx, other: `other${people}@italk.test` };
}

async function readdress(id: string, email: string) {
  const { version, name } = await openUser(as(chief), effects, id);
  return editUser(as(chief), effects, { userId: id, version, fullName: name, email });
}

const feedOf = async ({ actor }: Ctx) => makeFeed(as(await freshSession(db, actor as Person)));

/** Tokens emailed to an address, latest first. */
async function tokensTo(address: string, path = 'address-change'): Promise<string[]> {
  await runJobs();
  const mails = (await readMails((rows) => rows.where('recipient', '=', address))).toReversed();
  return mails.flatMap(
    (mail) => new RegExp(`/${path}(?:\\?[^#\\s]*)?#([\\w-]+)`).exec(mail.text_body)?.[1] ?? [],
  );
}

const held = { status: 403, body: { reason: 'address_held' } };
const emailOf = async (id: string) =>
  (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;

test('blocks sign-in for 72 hours after an administrator’s change, by password or link', async () => {
  const { id, email, other, cookie } = await owner();
  const before = await makeLinkToken(guest, 'reset-password', id);
  const opened = await readdress(id, other);
  expect(opened).toMatchObject({ email: other, heldUntil: '2026-03-05T12:00:00Z' });
  expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
  expect(await signIn(production, other)).toMatchObject(held);
  expect(await signIn(production, email)).toMatchObject({ status: 401 });
  expect(await send(production, '/reset-password', { token: before, newPassword: password })).toMatchObject({
    body: { reason: 'link_expired' },
  });

  // One link created during the address change, one requested after it.
  for (const [kind, path] of [
    ['verify', '/verify-email'],
    ['reset-password', '/reset-password'],
    ['sign-in', '/sign-in/link'],
  ] as const) {
    const token = await makeLinkToken(guest, kind, id);
    expect(await send(production, path, { token, newPassword: password })).toMatchObject(held);
  }
  await send(production, '/request-password-reset', { email: other });
  await send(production, '/send-verification-email', { email: other });
  later(71.9);
  expect(await tokensTo(other, '(?:verify|reset-password)')).toEqual([]);
  expect(await signIn(production, other)).toMatchObject(held);

  later(72);
  await send(production, '/send-verification-email', { email: other });
  const [token] = await tokensTo(other, 'verify');
  expect((await send(production, '/verify-email', { token })).status).toBe(200);
});

test('restores the account to the former address once, with all data since', async () => {
  const { id, email, other } = await owner();
  await requestExport(as(await freshSession(db, { kind: 'person', id, role: 'client', sessionId: id })));
  await readdress(id, other);
  const [token] = await tokensTo(email);
  expect(await readAddressChange(guest, token!)).toMatchObject({
    address: 'ot***',
    undoUntil: '2026-03-05T12:00:00Z',
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => undoAddressChange(guest, token!)));
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  await expect(undoAddressChange(guest, token!)).rejects.toMatchObject({ code: 'not_found' });
  await expect(confirmAddressChange(guest, token!)).rejects.toMatchObject({ code: 'not_found' });
  expect(await emailOf(id)).toBe(email);
  expect(await signIn(production, email)).toMatchObject({ body: { signedIn: true } });
  const exports = await db.selectFrom('exports').select('state').where('person_id', '=', id).execute();
  expect(exports).toEqual([{ state: 'expired' }]);
  await expect(undoAddressChange(guest, 'somebody-else')).rejects.toMatchObject({ code: 'not_found' });
});

test('can’t be undone after 72 hours; the journal unlocks by confirmation or after 7 days', async () => {
  const { id, email, other, ctx } = await owner();
  await readdress(id, other);
  const [token] = await tokensTo(email);
  const locked = { code: 'precondition', reason: 'private_locked' };
  await expect(requireJournaling(ctx)).rejects.toMatchObject(locked);
  later(72);
  await expect(undoAddressChange(guest, token!)).rejects.toMatchObject({ reason: 'undo_over' });
  await expect(requireJournaling(ctx)).rejects.toMatchObject(locked);
  await expect(writeEntry(ctx, { text: 'Whose?' })).rejects.toMatchObject(locked);
  await expect(requestExport(ctx)).rejects.toMatchObject(locked);
  later(24 * 7 - 0.1);
  await expect(requireJournaling(ctx)).rejects.toMatchObject(locked);
  await confirmAddressChange(guest, token!);
  await requireJournaling(ctx);

  const two = await owner();
  later(0);
  await readdress(two.id, two.other);
  later(24 * 7);
  await requireJournaling(two.ctx);
  await deleteExpiredChanges(as({ kind: 'system' }));
  expect(await db.selectFrom('address_changes').select('id').where('user_id', '=', two.id).execute()).toEqual(
    [],
  );
});

test('locks private notes with their author’s address, but not session notes', async () => {
  const [doctor, client] = [await addProvider(db), await addClient(db)];
  await db.updateTable('users').set({ email_verified: true }).where('id', '=', doctor.id).execute();
  await addSession(db, { client, provider: doctor, start: '2026-03-01T09:00:00Z' });
  const note = { clientId: client.id, text: 'For me.' };
  await writeNote(await unlocked(as(doctor)), 'private', note);
  await readdress(doctor.id, 'doctor.other@italk.test');
  await expect(writeNote(as(doctor), 'private', note)).rejects.toMatchObject({ reason: 'private_locked' });
  await writeNote(as(doctor), 'session', note);
});

test('lets the owner in immediately after confirming from the former address', async () => {
  const { id, email, other } = await owner();
  await readdress(id, other);
  const [token] = await tokensTo(email);
  await confirmAddressChange(guest, token!);
  const [link] = await tokensTo(other, 'verify');
  expect((await send(production, '/verify-email', { token: link })).status).toBe(200);
});

test('keeps the first owner’s link valid after a second change, and skips the middle address', async () => {
  const { id, email, other } = await owner();
  await readdress(id, other);
  later(10);
  await readdress(id, `second.${other}`);
  expect(await tokensTo(other)).toEqual([]);
  later(80);
  expect(await signIn(production, `second.${other}`)).toMatchObject(held);
  later(71);
  const [token] = await tokensTo(email);
  // Confirming covers only the linked change, not later ones.
  await confirmAddressChange(guest, token!);
  expect(await signIn(production, `second.${other}`)).toMatchObject(held);

  const two = await owner();
  later(0);
  await readdress(two.id, two.other);
  await readdress(two.id, `second.${two.other}`);
  const [undo] = await tokensTo(two.email);
  await undoAddressChange(guest, undo!);
  expect(await signIn(production, two.email)).toMatchObject({ body: { signedIn: true } });
});

test('lets a new holder confirm only their own change, not the first owner’s', async () => {
  const { id, email, other, ctx } = await owner();
  await readdress(id, other);
  const [first] = await tokensTo(email);
  later(73);
  // Access to the new mailbox signs in its holder, possibly a person the administrator chose.
  await send(production, '/request-password-reset', { email: other });
  const [reset] = await tokensTo(other, 'reset-password');
  await send(production, '/reset-password', { token: reset, newPassword: 'a-password-of-another' });
  await readdress(id, `second.${other}`);
  const [second] = await tokensTo(other);
  await confirmAddressChange(guest, second!);
  await expect(requireJournaling(ctx)).rejects.toMatchObject({ reason: 'private_locked' });
  await confirmAddressChange(guest, first!);
  await requireJournaling(ctx);
});

test('restores the owner’s address without what the other holder created', async () => {
  const { id, email, other, ctx } = await owner();
  await readdress(id, other);
  later(72);
  await send(production, '/send-verification-email', { email: other });
  const [token] = await tokensTo(other, 'verify');
  const { resetToken } = (await send(production, '/verify-email', { token })).body;
  const intruder = 'a-password-of-another';
  await send(production, '/reset-password', { token: resetToken, newPassword: intruder });
  expect(await signIn(production, other, intruder)).toMatchObject({ body: { signedIn: true } });
  const calendar = await feedOf(ctx);
  later(73);
  const made = guest.now();
  expect(await opensLink(guest, { personId: id, made })).toBe(true);
  await readdress(id, email);
  await runJobs();
  expect(await opensLink(guest, { personId: id, made })).toBe(false);
  expect(await ownFeed(ctx, selfOf(ctx))).toBeNull();
  await expect(requireFeedOwner(guest, calendar.path.split('/').at(-1)!)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await db.selectFrom('known_devices').select('id').where('user_id', '=', id).execute()).toEqual([]);
  expect(await signIn(production, email, intruder)).toMatchObject({ status: 401 });
  await requireJournaling(ctx);
  expect(await db.selectFrom('address_changes').selectAll().where('user_id', '=', id).execute()).toEqual([]);
});

async function usesPasskeys(userId: string, at: Date): Promise<void> {
  await db
    .insertInto('second_factors')
    .values({
      id: newId(),
      user_id: userId,
      secret: null,
      by_passkey: true,
      confirmed_at: at,
      created_at: at,
    })
    .execute();
}

test.each([
  ['ends without a passkey from before the change', 1, 0],
  ['stays with a passkey from before the change', -1, 1],
])('passkeys as the second step %s', async (_, hours, left) => {
  const { id, email, other } = await owner();
  const at = (when: number) => new Date(start.add({ minutes: when * 60 }).epochMilliseconds);
  await usesPasskeys(id, at(-2));
  await readdress(id, other);
  await db
    .insertInto('passkeys')
    .values({
      id: newId(),
      user_id: id,
      credential_id: newId(),
      user_handle: 'AA',
      public_key: 'AA',
      backup_eligible: false,
      backed_up: false,
      name: 'A phone',
      created_at: at(hours),
    })
    .execute();
  const [token] = await tokensTo(email);
  later(2);
  await undoAddressChange(guest, token!);
  const factors = await db.selectFrom('second_factors').select('id').where('user_id', '=', id).execute();
  expect(factors).toHaveLength(left);
});

test('an app that replaced passkeys after the change ends with it', async () => {
  const { id, email, other, ctx } = await owner();
  await db
    .updateTable('feature_flags')
    .set({ enabled: true, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
  const before = new Date(start.subtract({ minutes: 1 }).epochMilliseconds);
  await usesPasskeys(id, before);
  await readdress(id, other);
  later(1);
  const intruder = as(await freshSession(db, ctx.actor as Person));
  const { secret } = await beginSecondFactor(intruder, { password });
  const timestamp = guest.now().epochMilliseconds;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  await confirmSecondFactor(intruder, { code });
  const [token] = await tokensTo(email);
  await undoAddressChange(guest, token!);
  const factors = await db.selectFrom('second_factors').select('id').where('user_id', '=', id).execute();
  expect(factors).toEqual([]);
});

test('keeps the owner’s calendar URL when a change is undone', async () => {
  const { id, email, other, ctx } = await owner();
  await runJobs();
  await feedOf(ctx);
  later(1);
  await readdress(id, other);
  const [token] = await tokensTo(email);
  await undoAddressChange(guest, token!);
  await runJobs();
  expect(await ownFeed(ctx, selfOf(ctx))).not.toBeNull();
});

test('keeps a calendar URL created right after the undo', async () => {
  const { id, email, other, ctx } = await owner();
  await readdress(id, other);
  const [token] = await tokensTo(email);
  later(1);
  await undoAddressChange(guest, token!);
  later(1.1);
  await feedOf(ctx);
  await runJobs();
  expect(await ownFeed(ctx, selfOf(ctx))).not.toBeNull();
});

test('lets no one claim the former address by sign-up or administrator change', async () => {
  const { id, email, other } = await owner();
  await readdress(id, other);
  await signUp(production, email);
  await createAccount(as({ kind: 'system' }), {
    email,
    name: 'Squatter',
    role: 'client',
    emailVerified: false,
  });
  const [token] = await tokensTo(email);
  await undoAddressChange(guest, token!);
  expect(await emailOf(id)).toBe(email);

  const [mine, theirs] = [await owner(), await owner()];
  await readdress(mine.id, mine.other);
  await readdress(theirs.id, mine.email);
  await undoAddressChange(guest, (await tokensTo(mine.email)).at(-1)!);
  await undoAddressChange(guest, (await tokensTo(theirs.email))[0]!);
  expect([await emailOf(mine.id), await emailOf(theirs.id)]).toEqual([mine.email, theirs.email]);
});

test('reserves the former address while it can undo the change, for every entry point', async () => {
  const { id, email, other } = await owner();
  await readdress(id, other);
  const [token] = await tokensTo(email);
  const refused = { code: 'forbidden', reason: 'address_changed', data: { until: '2026-03-05T12:00:00Z' } };

  // A stranger's sign-up emails her a link; then she signs up again, since she can't sign in.
  await signUp(production, email);
  const [link] = await tokensTo(email, 'verify');
  const { resetToken } = (await send(production, '/verify-email', { token: link })).body;
  expect(
    await send(production, '/reset-password', { token: resetToken, newPassword: password }),
  ).toMatchObject({ status: 403, body: refused });
  const { cookie } = await signUp(production, email);
  const [own] = await tokensTo(email, 'verify');
  expect(await send(production, '/verify-email', { token: own }, { cookie })).toMatchObject({
    status: 403,
    body: refused,
  });
  // Guest booking, specialist's invitation, and administrator-created account.
  const system = as({ kind: 'system' });
  const account = { email, name: 'Ruth', role: 'client' } as const;
  await expect(createAccount(system, { ...account, emailVerified: true })).rejects.toMatchObject(refused);
  const unclaimed = await createUnclaimed(system, { name: 'Ruth', timeZone: 'America/New_York' });
  await expect(transact(system, (tx) => claimAccount(tx, unclaimed, email))).rejects.toMatchObject(refused);
  const made = await createAccount(system, { ...account, emailVerified: false });
  await expect(transact(system, (tx) => confirmAddress(tx, made, []))).rejects.toMatchObject(refused);

  await undoAddressChange(guest, token!);
  expect(await emailOf(id)).toBe(email);
});

test('reserves the former address at the moment of the change', async () => {
  const system = as({ kind: 'system' });
  const client = { name: 'Ruth', role: 'client' } as const;
  const unclaimed = await createUnclaimed(system, { name: 'Ruth', timeZone: 'America/New_York' });
  const ways = [
    (email: string) => createAccount(system, { ...client, email, emailVerified: true }),
    (email: string) => transact(system, (tx) => claimAccount(tx, unclaimed, email)),
  ];
  for (const take of ways) {
    const { id, email, other } = await owner();
    let taken: Promise<unknown> = Promise.resolve();
    await transact(system, async (tx) => {
      await changeAddress(tx, { userId: id, to: other });
      taken = take(email).catch((error: unknown) => error);
      await expect.poll(() => blockedConnections(db)).toBe(1);
    });
    expect(await taken).toMatchObject({ code: 'forbidden', reason: 'address_changed' });
  }
});

test('frees the former address once the change is confirmed or can’t be undone', async () => {
  for (const settle of [
    async (token: string) => void (await confirmAddressChange(guest, token)),
    () => Promise.resolve(later(72)),
  ]) {
    later(0);
    const { id, email, other } = await owner();
    await readdress(id, other);
    await settle((await tokensTo(email))[0]!);
    const { cookie } = await signUp(production, email);
    const [link] = await tokensTo(email, 'verify');
    expect(await send(production, '/verify-email', { token: link }, { cookie })).toMatchObject({
      body: { signedIn: true },
    });
  }
});

test('ends or rejects a session started during the change', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, email, other } = await owner();
    const [signed] = await Promise.all([signIn(production, email), readdress(id, other)]);
    expect(await actorOf(production, signed.cookie)).toEqual({ kind: 'guest' });
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([]);
  }
});

test('corrects the address of an unused account without a waiting period', async () => {
  const account = {
    email: 'mistyped@italk.test',
    name: 'Ruth',
    role: 'client',
    emailVerified: false,
  } as const;
  const id = await createAccount(as({ kind: 'system' }), account);
  await runJobs();
  await readdress(id, 'right@italk.test');
  expect(await tokensTo('right@italk.test', 'verify')).toHaveLength(1);
});

test('keeps a sign-up at the new address from taking over a passwordless account', async () => {
  const { id, other } = await owner();
  await db.deleteFrom('credentials').where('user_id', '=', id).execute();
  await readdress(id, other);
  const { cookie } = await signUp(production, other);
  const [token] = await tokensTo(other, 'verify');
  expect(await send(production, '/verify-email', { token }, { cookie })).toMatchObject(held);
  expect(await db.selectFrom('credentials').select('id').where('user_id', '=', id).execute()).toEqual([]);
});
