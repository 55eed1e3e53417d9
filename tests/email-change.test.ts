import { beforeEach, describe, expect, test } from 'vitest';
import { accountEffects } from '#/app/account-effects.ts';
import type { AppError } from '#/kernel/errors.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from './support/database.ts';
import { appUrl, identitiesOf, password } from './support/identity.ts';
import { addAdministrator, freshSession, type Person } from './support/people.ts';
import { suspendUser } from '#/features/accounts/account-status/commands.ts';
import {
  changeAddress,
  readAddressChange,
  undoAddressChange,
} from '#/features/accounts/address-change/commands.ts';
import { createAccount, deleteExpired, setPassword } from '#/features/accounts/commands.ts';
import { requestDeletion } from '#/features/accounts/deletion/commands.ts';
import { requireUnlocked } from '#/features/accounts/queries.ts';
import { resetSecondFactor } from '#/features/accounts/second-factor/commands.ts';
import { signOutOtherDevices } from '#/features/accounts/session/commands.ts';
import { countAttempts } from '#/features/accounts/tries/commands.ts';
import {
  cancelEmailChange,
  confirmEmailChange,
  ownEmailChange,
  readEmailChange,
  requestEmailChange,
  resendEmailChange,
} from '#/features/accounts/email-change/commands.ts';

const database = await testDatabase({ poolSize: 8, appUrl });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, signIn, actorOf, verified, entries, freshAddress } = identitiesOf(database);
const system = as({ kind: 'system' });
const effects = accountEffects({ adminEmails: ['chief@italk.test'], appUrl });
const server = { tries: countAttempts({ secret: 'x'.repeat(40), rateLimitFactor: 1 }), effects };

beforeEach(() => setNow('2026-03-02T12:00:00Z'));

let people = 0;
/** Signed in twice, once with a cookie. */
async function somebody() {
  people += 1;
  const [email, other] = [`own${people}@italk.test`, `wanted${people}@italk.test`];
  const { id, cookie } = await verified(email);
  await db
    .updateTable('credentials')
    .set({ updated_at: new Date('2026-03-02T11:00:00Z') })
    .where('user_id', '=', id)
    .execute();
  const person = await freshSession(db, (await actorOf(production, cookie)) as Person);
  return { id, email, other, cookie, person };
}

const fresh = (person: Person) => ({ ...as(person), address: freshAddress() });
const visitor = () => ({ ...guest, address: freshAddress() });
const ask = (person: Person, email: string) => requestEmailChange(fresh(person), server, { email });
const confirm = (token: string) => confirmEmailChange(visitor(), server, token);
const emailOf = async (id: string) =>
  (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email;

async function mailsTo(address: string) {
  await runJobs();
  return readMails((rows) => rows.where('recipient', '=', address).where('kind', '=', 'address_change'));
}

/** The newest link's token, or undefined. */
async function tokenTo(address: string, path = 'email-change'): Promise<string> {
  const mails = await mailsTo(address);
  return mails
    .flatMap(({ text_body }) => new RegExp(`/${path}#([\\w-]+)`).exec(text_body)?.[1] ?? [])
    .at(-1)!;
}

/** Someone whose two links wait. */
async function asked() {
  const one = await somebody();
  await ask(one.person, one.other);
  return { ...one, former: await tokenTo(one.email), wanted: await tokenTo(one.other) };
}

const expired = { code: 'precondition', reason: 'link_expired' };

describe('an email', () => {
  test.each([['former first'], ['new first']])(
    'changes once both addresses confirm, in any order: %s',
    async (order) => {
      const { id, email, other, cookie, person, former, wanted } = await asked();
      expect(await ownEmailChange(as(person))).toEqual({
        address: other,
        formerConfirmed: false,
        newConfirmed: false,
        expiresAt: '2026-03-03T12:00:00.000Z',
      });
      const [first, second] = order === 'former first' ? [former, wanted] : [wanted, former];
      expect(await readEmailChange(visitor(), server, former)).toEqual({ address: other, side: 'former' });
      expect(await readEmailChange(visitor(), server, wanted)).toEqual({ address: other, side: 'new' });
      expect(await confirm(first)).toMatchObject({ changed: false });
      expect(await emailOf(id)).toBe(email);
      expect(await ownEmailChange(as(person))).toMatchObject({
        formerConfirmed: first === former,
        newConfirmed: first === wanted,
      });
      await expect(confirm(first)).rejects.toMatchObject(expired);
      expect(await confirm(second)).toMatchObject({ changed: true, address: other });
      expect(await emailOf(id)).toBe(other);
      expect(await ownEmailChange(as(person))).toBeNull();
      for (const token of [first, second]) await expect(confirm(token)).rejects.toMatchObject(expired);
      // Only the session that asked stays signed in.
      expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
      const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute();
      expect(sessions).toEqual([{ id: person.sessionId }]);
      expect(await signIn(production, other)).toMatchObject({ body: { signedIn: true } });
      expect((await signIn(production, email)).status).toBe(401);
      await requireUnlocked(system, id);
      expect(await entries('email_change_requested', id)).toHaveLength(1);
      expect(await entries('email_change_confirmed', id)).toHaveLength(2);
      expect(await entries('email_changed', id)).toMatchObject([{ success: true }]);
      expect(JSON.stringify(await entries('email_changed', id))).not.toContain('wanted');
    },
  );

  test('changes once, however often both links are followed at once', async () => {
    const { id, other, former, wanted } = await asked();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) => confirm(i % 2 ? former : wanted)),
    );
    const told = outcomes.map((one) =>
      one.status === 'fulfilled' ? `changed: ${one.value.changed}` : (one.reason as AppError).reason,
    );
    expect(told.toSorted()).toEqual([
      'changed: false',
      'changed: true',
      ...Array<string>(48).fill('link_expired'),
    ]);
    expect(await emailOf(id)).toBe(other);
    expect(await entries('email_changed', id)).toHaveLength(1);
    expect(
      await db.selectFrom('address_changes').select('by_owner').where('user_id', '=', id).execute(),
    ).toEqual([{ by_owner: true }]);
  });

  test('stays when only one address confirms within a day', async () => {
    const { id, email, former, wanted, person } = await asked();
    await confirm(wanted);
    setNow('2026-03-03T12:00:00Z');
    await expect(confirm(former)).rejects.toMatchObject(expired);
    await expect(readEmailChange(visitor(), server, former)).rejects.toMatchObject(expired);
    expect(await ownEmailChange(as(person))).toBeNull();
    await deleteExpired(system);
    expect(
      await db.selectFrom('email_change_requests').select('id').where('user_id', '=', id).execute(),
    ).toEqual([]);
    expect(await emailOf(id)).toBe(email);
  });

  test('can be undone from the former address for 72 hours, without what was added since', async () => {
    const { id, email, other, former, wanted } = await asked();
    await confirm(former);
    await confirm(wanted);
    const undo = await tokenTo(email, 'address-change');
    expect(await readAddressChange(guest, undo)).toMatchObject({
      byOwner: true,
      undoUntil: '2026-03-05T12:00:00Z',
    });
    // Nobody else can take the former address meanwhile.
    const account = { email, name: 'Squatter', role: 'client', emailVerified: true } as const;
    await expect(createAccount(system, account)).rejects.toMatchObject({ reason: 'address_changed' });
    expect(await signIn(production, other)).toMatchObject({ body: { signedIn: true } });
    setNow('2026-03-05T11:59:00Z');
    await undoAddressChange(guest, undo);
    expect(await emailOf(id)).toBe(email);
    expect(await db.selectFrom('sessions').select('id').where('user_id', '=', id).execute()).toEqual([]);

    const late = await asked();
    await confirm(late.former);
    await confirm(late.wanted);
    const over = await tokenTo(late.email, 'address-change');
    setNow('2026-03-08T12:00:00Z');
    await expect(undoAddressChange(guest, over)).rejects.toMatchObject({ reason: 'undo_over' });
  });

  test('changes twice, and the first owner can still undo both', async () => {
    const { id, email, other, person, former, wanted } = await asked();
    await confirm(former);
    await confirm(wanted);
    await ask(person, `second.${other}`);
    await confirm(await tokenTo(other));
    await confirm(await tokenTo(`second.${other}`));
    const [first, second] = [await tokenTo(email, 'address-change'), await tokenTo(other, 'address-change')];
    await undoAddressChange(guest, first);
    expect(await emailOf(id)).toBe(email);
    await expect(undoAddressChange(guest, second)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('returns to a former address with both confirmations, and keeps the password', async () => {
    const { id, email, other, person, former, wanted } = await asked();
    await confirm(former);
    await confirm(wanted);
    const undo = await tokenTo(email, 'address-change');
    await ask(person, email);
    await confirm(await tokenTo(other));
    await confirm(await tokenTo(email));
    expect(await emailOf(id)).toBe(email);
    expect(await signIn(production, email)).toMatchObject({ body: { signedIn: true } });
    await expect(undoAddressChange(guest, undo)).rejects.toMatchObject({ code: 'not_found' });
    const left = await db
      .selectFrom('address_changes')
      .select('former_address')
      .where('user_id', '=', id)
      .execute();
    expect(left).toEqual([{ former_address: other }]);
  });

  test('is told to both addresses, with neither in a subject', async () => {
    const { email, other, former, wanted } = await asked();
    await confirm(former);
    await confirm(wanted);
    const [before, after] = [await mailsTo(email), await mailsTo(other)];
    expect(before.map(({ subject }) => subject)).toEqual([
      'Confirm your email change at iTalk Health',
      'Your iTalk Health email address was changed',
    ]);
    expect(after.map(({ subject }) => subject)).toEqual([
      'Confirm your new email at iTalk Health',
      'Your new email address at iTalk Health',
    ]);
    expect(before[0]!.text_body).toContain(other);
    expect(after[0]!.text_body).not.toMatch(/Ruth|own\d/);
  });
});

describe('a request', () => {
  test('needs a recent confirmation of identity, a verified address and another one', async () => {
    const { id, email, other, person } = await somebody();
    await expect(ask(person, email)).rejects.toMatchObject({
      fields: [{ field: 'email', reason: 'same_address' }],
    });
    await db.updateTable('users').set({ email_verified: false }).where('id', '=', id).execute();
    await expect(ask(person, other)).rejects.toMatchObject({ reason: 'email_unverified' });
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', id).execute();
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: null })
      .where('user_id', '=', person.id)
      .execute();
    await expect(ask(person, other)).rejects.toMatchObject({ reason: 'reauthentication_required' });
    const chief = await addAdministrator(db);
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', chief.id).execute();
    await expect(ask(chief, 'chief.new@italk.test')).rejects.toMatchObject({
      reason: 'administrator_address',
    });
    await expect(requestEmailChange(guest, server, { email: other })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    expect(
      await db.selectFrom('email_change_requests').select('id').where('user_id', '=', id).execute(),
    ).toEqual([]);
  });

  test('for another account’s address gets the same answer; its owner gets an email without link', async () => {
    const [one, two] = [await somebody(), await somebody()];
    const [taken, free] = [await ask(one.person, two.email), await ask(two.person, two.other)];
    expect({ ...taken, address: '' }).toEqual({ ...free, address: '' });
    const told = (await mailsTo(two.email)).find(({ subject }) => subject.startsWith('You already'));
    expect(told!.text_body).toContain('Your account has it, so nothing changed.');
    expect(told!.text_body).not.toContain('email-change#');
    expect(await confirm(await tokenTo(one.email))).toMatchObject({ changed: false });
    expect(await emailOf(one.id)).toBe(one.email);
  });

  test('ends closed if the address is taken meanwhile', async () => {
    const { id, email, other, former, wanted } = await asked();
    await confirm(former);
    const account = { email: other, name: 'Quick', role: 'client', emailVerified: true } as const;
    const holder = await createAccount(system, account);
    await expect(confirm(wanted)).rejects.toMatchObject({ code: 'conflict', reason: 'address_taken' });
    expect([await emailOf(id), await emailOf(holder)]).toEqual([email, other]);
    expect(await signIn(production, email)).toMatchObject({ body: { signedIn: true } });
  });

  test('leaves an address alone that someone can still return to', async () => {
    const [one, two] = [await asked(), await somebody()];
    await confirm(one.former);
    await confirm(one.wanted);
    await ask(two.person, one.email);
    await confirm(await tokenTo(two.email));
    await expect(confirm(await tokenTo(one.email))).rejects.toMatchObject({ reason: 'address_changed' });
    expect(await emailOf(two.id)).toBe(two.email);
    await undoAddressChange(guest, await tokenTo(one.email, 'address-change'));
    expect(await emailOf(one.id)).toBe(one.email);
  });

  test('of two people for one address succeeds for one, even at once', async () => {
    const [one, two] = [await asked(), await somebody()];
    await ask(two.person, one.other);
    const theirs = await tokenTo(two.email);
    const both = (await mailsTo(one.other)).map(
      ({ text_body }) => /email-change#([\w-]+)/.exec(text_body)![1]!,
    );
    await confirm(one.former);
    await confirm(theirs);
    const outcomes = await Promise.allSettled(both.map(confirm));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const lost = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(lost!.reason).toMatchObject({ code: 'conflict', reason: 'address_taken' });
  });

  test('never moves an account to an administrator’s address, nor an administrator’s', async () => {
    const { id, email, person } = await somebody();
    await ask(person, 'chief@italk.test');
    await confirm(await tokenTo(email));
    await expect(confirm(await tokenTo('chief@italk.test'))).rejects.toMatchObject({
      reason: 'address_taken',
    });
    expect(await emailOf(id)).toBe(email);

    const promoted = await asked();
    await confirm(promoted.former);
    await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', promoted.id).execute();
    await expect(confirm(promoted.wanted)).rejects.toMatchObject({ reason: 'administrator_address' });
    expect(await emailOf(promoted.id)).toBe(promoted.email);
  });

  test('replaces the former one and its links', async () => {
    const { id, person, former, wanted, other, email } = await asked();
    await confirm(former);
    await ask(person, `second.${other}`);
    for (const token of [former, wanted]) await expect(confirm(token)).rejects.toMatchObject(expired);
    expect(await ownEmailChange(as(person))).toMatchObject({ formerConfirmed: false });
    await confirm(await tokenTo(`second.${other}`));
    await confirm(await tokenTo(email));
    expect(await emailOf(id)).toBe(`second.${other}`);
  });

  test('ends when canceled', async () => {
    const { id, person, former, wanted } = await asked();
    const stranger = await somebody();
    await expect(cancelEmailChange(as(stranger.person))).rejects.toMatchObject({ reason: 'email_change' });
    await expect(resendEmailChange(fresh(stranger.person), server)).rejects.toMatchObject({
      reason: 'email_change',
    });
    expect(await cancelEmailChange(as(person))).toBeNull();
    expect(await ownEmailChange(as(person))).toBeNull();
    for (const token of [former, wanted]) await expect(confirm(token)).rejects.toMatchObject(expired);
    expect(await entries('email_change_canceled', id)).toHaveLength(1);
  });

  test.each<[string, (one: Awaited<ReturnType<typeof asked>>) => Promise<unknown>]>([
    ['a new password', ({ id }) => transact(system, (tx) => setPassword(tx, id, 'hash'))],
    [
      'a new password in this session',
      ({ id, person }) =>
        transact(system, (tx) => setPassword(tx, id, 'hash', { exceptSession: person.sessionId })),
    ],
    ['signing out everywhere else', ({ person }) => signOutOtherDevices(as(person))],
    ['deletion', ({ person }) => requestDeletion(as(person), [], { password })],
    [
      'a suspension',
      async ({ id }) =>
        suspendUser(as(await addAdministrator(db)), effects, { userId: id, reason: 'safety' }),
    ],
    [
      'an administrator’s change',
      ({ id }) => transact(system, (tx) => changeAddress(tx, { userId: id, to: `admins.${id}@italk.test` })),
    ],
    [
      'a reset of the second factor',
      async ({ id }) => {
        const values = { id, user_id: id, secret: 'x', confirmed_at: new Date(), created_at: new Date() };
        await db.insertInto('second_factors').values(values).execute();
        await resetSecondFactor(as(await addAdministrator(db)), { id });
      },
    ],
  ])('ends with %s', async (_, happen) => {
    const one = await asked();
    await confirm(one.wanted);
    await happen(one);
    await expect(confirm(one.former)).rejects.toMatchObject(expired);
    expect(
      await db.selectFrom('email_change_requests').select('id').where('user_id', '=', one.id).execute(),
    ).toEqual([]);
    expect(await emailOf(one.id)).not.toBe(one.other);
  });

  test('opens nothing with another link’s token', async () => {
    const { former, wanted } = await asked();
    const stored = await db.selectFrom('verifications').select('identifier').execute();
    expect(JSON.stringify(stored)).not.toContain(former);
    for (const token of [former.slice(1), wanted.toLowerCase(), 'made-up'])
      await expect(confirm(token)).rejects.toMatchObject(expired);
    await expect(undoAddressChange(guest, former)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is emailed again, only to who hasn’t confirmed, and three times in 15 minutes', async () => {
    const { person, email, other, former, wanted } = await asked();
    await confirm(wanted);
    await resendEmailChange(fresh(person), server);
    expect([(await mailsTo(email)).length, (await mailsTo(other)).length]).toEqual([2, 1]);
    const again = await tokenTo(email);
    expect(again).not.toBe(former);
    await resendEmailChange(fresh(person), server);
    await expect(resendEmailChange(fresh(person), server)).rejects.toMatchObject({
      reason: 'too_many_tries',
    });
    await expect(ask(person, `third.${other}`)).rejects.toMatchObject({ reason: 'too_many_tries' });
    // Each link works, but only one once.
    expect(await confirm(former)).toMatchObject({ changed: true });
    await expect(confirm(again)).rejects.toMatchObject(expired);
  });

  test('mails strangers little: three times in 15 minutes to one address, ten times a day', async () => {
    const victim = 'bombed@italk.test';
    for (let i = 0; i < 3; i++) await ask((await somebody()).person, victim);
    await expect(ask((await somebody()).person, victim)).rejects.toMatchObject({ reason: 'too_many_tries' });
    const { person } = await somebody();
    for (let i = 0; i < 10; i++) {
      setNow(
        Temporal.Instant.from('2026-03-02T13:00:00Z')
          .add({ minutes: 16 * i })
          .toString(),
      );
      await ask(person, `victim${i}@italk.test`);
    }
    setNow('2026-03-02T20:00:00Z');
    await expect(ask(person, 'victim10@italk.test')).rejects.toMatchObject({ reason: 'too_many_tries' });
  });
});
