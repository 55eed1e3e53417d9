import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { SmsConfig } from '#/platform/sms-config.ts';
import { openSms } from '#/platform/sms/sms.ts';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf } from '../../../../tests/support/identity.ts';
import { freshSession, type Person } from '../../../../tests/support/people.ts';
import { openTestSms } from '../../../../tests/support/sms.ts';
import { changeAddress, undoAddressChange } from '../address-change/commands.ts';
import { makeLinkToken, setPassword } from '../commands.ts';
import { removePasskey } from '../passkeys/commands.ts';
import type { TextServer } from '../texted-codes/commands.ts';
import { countAttempts } from '../tries/commands.ts';
import { addSignInPhone, beginSignInPhone, ownSignInPhone, removeSignInPhone } from './commands.ts';

const provider = await openTestSms();
afterAll(() => provider.close());
const database = await testDatabase({ poolSize: 8, sms: openSms(provider.config), appUrl });
const { db, as, runJobs, readMails, setNow } = database;
const { guest, production, send, signIn, actorOf, verified, entries, freshAddress } = identitiesOf(database, {
  sms: provider.config,
});
const secret = 'x'.repeat(40);
const serverWith = (config: SmsConfig | null): TextServer => ({
  sms: config && openSms(config),
  tries: countAttempts({ secret, rateLimitFactor: 1 }),
  secret,
  appUrl,
});
const server = serverWith(provider.config);

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  provider.fails = null;
  await db.updateTable('site_settings').set({ sign_in_code: true, require_two_factor: false }).execute();
  await forgetSiteTexts();
});

const forgetSiteTexts = () =>
  db.deleteFrom('rate_limits').where('key', 'like', 'texts of the site%').execute();

let people = 0;
async function somebody() {
  const email = `by.text.${(people += 1)}@italk.test`;
  const { id, cookie } = await verified(email);
  const person = (await actorOf(production, cookie)) as Person;
  return { id, email, person: await freshSession(db, person), number: `+1212555${String(1000 + people)}` };
}

const fresh = (person: Person) => ({ ...as(person), address: freshAddress() });
const begin = (person: Person, phone: string, by = server) => beginSignInPhone(fresh(person), by, { phone });
const add = (person: Person, phone: string, code: string) =>
  addSignInPhone(fresh(person), server, { phone, code });

/** Somebody with a confirmed number. */
async function withPhone() {
  const one = await somebody();
  await begin(one.person, one.number);
  await add(one.person, one.number, provider.codeTo(one.number));
  return one;
}

const ask = (phone: string, sent = {}, identity = production) =>
  send(identity, '/request-texted-code', { phone }, sent);
const enter = (emailCode: string, cookie: string, more: object = {}) =>
  send(production, '/sign-in/code', { emailCode, ...more }, { cookie });

/** Asks for a code in a new browser. */
async function asked(number: string) {
  const { cookie } = await ask(number);
  await runJobs();
  return { cookie, code: provider.codeTo(number) };
}

const textsTo = (number: string) => provider.sent.filter(({ to }) => to === number);
const another = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');
const kindsFor = async (email: string) => {
  await runJobs();
  return (await readMails((rows) => rows.where('recipient', '=', email).orderBy('created_at'))).map(
    ({ kind, text_body: text }) => `${kind}: ${/phone number was (\w+)/.exec(text)?.[1] ?? ''}`,
  );
};
const field = (reason: string) => ({ code: 'invalid', fields: [{ field: 'phone', reason }] });
const expired = { status: 412, body: { reason: 'code_expired' } };
const wrong = { status: 400, body: { fields: [{ field: 'emailCode', reason: 'wrong_code' }] } };

describe('a number', () => {
  test('is added with the code texted to it, and removed, with audit entries and emails', async () => {
    const { id, email, person, number } = await somebody();
    const local = `(212) ${number.slice(5, 8)}-${number.slice(8)}`;
    expect(await begin(person, local)).toEqual({ phone: number });
    const code = provider.codeTo(number);
    expect(textsTo(number)).toEqual([
      {
        to: number,
        from: '+15005550006',
        body: `${code} confirms this number. It works for 10 minutes.\n\n@italk.test #${code}`,
      },
    ]);
    expect(await ownSignInPhone(as(person))).toBeNull();
    const added = await add(person, local, code);
    expect(added).toEqual({ phone: number, createdAt: '2026-03-02T12:00:00.000Z' });
    expect(await ownSignInPhone(as(person))).toEqual(added);
    await expect(begin(person, '+12125550199')).rejects.toMatchObject({ reason: 'phone_exists' });
    await removeSignInPhone(as(person), server);
    expect(await ownSignInPhone(as(person))).toBeNull();
    await expect(removeSignInPhone(as(person), server)).rejects.toMatchObject({ code: 'not_found' });
    expect(await entries('phone_code_requested', id)).toHaveLength(1);
    expect(await entries('sign_in_phone_added', id)).toMatchObject([{ success: true, details: {} }]);
    expect(await entries('sign_in_phone_removed', id)).toMatchObject([{ success: true, details: {} }]);
    expect(await kindsFor(email)).toEqual(
      expect.arrayContaining(['account_security: added', 'account_security: removed']),
    );
  });

  test('needs a recent confirmation of identity and a password', async () => {
    const { person, number } = await somebody();
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: null })
      .where('user_id', '=', person.id)
      .execute();
    const stale = { code: 'precondition', reason: 'reauthentication_required' };
    await expect(begin(person, number)).rejects.toMatchObject(stale);
    await expect(add(person, number, '123456')).rejects.toMatchObject(stale);
    await expect(removeSignInPhone(as(person), server)).rejects.toMatchObject(stale);
    const other = await somebody();
    await db.deleteFrom('credentials').where('user_id', '=', other.id).execute();
    await expect(begin(other.person, other.number)).rejects.toMatchObject({ reason: 'password_missing' });
    expect(textsTo(number)).toEqual([]);
  });

  test('of another account gets the same answers until its code is right', async () => {
    const { id, number } = await withPhone();
    const { person } = await somebody();
    expect(await begin(person, number)).toEqual({ phone: number });
    const code = provider.codeTo(number);
    await expect(add(person, number, another(code))).rejects.toMatchObject({
      fields: [{ field: 'code', reason: 'wrong_code' }],
    });
    await expect(add(person, number, code)).rejects.toMatchObject({
      code: 'conflict',
      reason: 'phone_taken',
    });
    const { cookie, code: own } = await asked(number);
    expect(await actorOf(production, (await enter(own, cookie)).cookie)).toMatchObject({ id });
  });

  test('is added once by fifty parallel requests with the right code', async () => {
    const { person, number } = await somebody();
    await begin(person, number);
    const code = provider.codeTo(number);
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => add(person, number, code)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is confirmed only in the session that asked, for that number, within five tries and ten minutes', async () => {
    const { person, number } = await somebody();
    await begin(person, number);
    const code = provider.codeTo(number);
    const late = { code: 'precondition', reason: 'code_expired' };
    await expect(add(person, '+12125550142', code)).rejects.toMatchObject(late);
    await expect(add((await somebody()).person, number, code)).rejects.toMatchObject(late);
    await expect(add(await freshSession(db, person), number, code)).rejects.toMatchObject(late);
    for (let at = 1; at < 5; at += 1)
      await expect(add(person, number, another(code, at))).rejects.toMatchObject({ code: 'invalid' });
    await expect(add(person, number, another(code, 5))).rejects.toMatchObject({ reason: 'code_spent' });
    await expect(add(person, number, code)).rejects.toMatchObject({ reason: 'code_spent' });
    await begin(person, number);
    setNow('2026-03-02T12:10:00Z');
    await db
      .updateTable('sessions')
      .set({ reauthenticated_at: new Date('2026-03-02T12:09:00Z') })
      .execute();
    await expect(add(person, number, provider.codeTo(number))).rejects.toMatchObject(late);
  });

  test.each([
    ['+44 7911 123456', 'country'],
    ['876 555 1234', 'country'],
    ['+1 900 555 1234', 'not_mobile'],
    ['911', 'bad_format'],
  ])('isn’t texted: %s (%s)', async (phone, reason) => {
    const { person } = await somebody();
    const before = provider.sent.length;
    await expect(begin(person, phone)).rejects.toMatchObject(field(reason));
    expect(await ask(phone)).toMatchObject({ status: 400, body: { fields: [{ field: 'phone', reason }] } });
    expect(provider.sent).toHaveLength(before);
  });

  test('reports a number that the SMS provider refuses, and an SMS provider that’s down', async () => {
    const { person, number } = await somebody();
    provider.fails = { status: 400, body: '{"code":21211}' };
    await expect(begin(person, number)).rejects.toMatchObject(field('refused'));
    provider.fails = { status: 503, body: '' };
    await expect(begin(person, number)).rejects.toMatchObject({ code: 'unavailable', reason: 'texts_down' });
    provider.fails = null;
    await begin(person, number);
    await add(person, number, provider.codeTo(number));
  });

  test('is removed by recovery, by undoing an address change since, and with the account', async () => {
    const recovered = await withPhone();
    const token = await makeLinkToken(guest, 'reset-password', recovered.id);
    await send(production, '/reset-password', { token, newPassword: 'another-room-43' });
    expect(await entries('sign_in_phone_removed', recovered.id)).toHaveLength(1);

    const undone = await somebody();
    const change = await transact(as({ kind: 'system' }), (tx) =>
      changeAddress(tx, { userId: undone.id, to: `${undone.id}@new.test` }),
    );
    setNow('2026-03-02T13:00:00Z');
    await db
      .insertInto('sign_in_phones')
      .values({ user_id: undone.id, number: undone.number, created_at: new Date('2026-03-02T13:00:00Z') })
      .execute();
    await undoAddressChange(guest, (change as { token: string }).token);
    for (const { id } of [recovered, undone])
      expect(await db.selectFrom('sign_in_phones').where('user_id', '=', id).selectAll().execute()).toEqual(
        [],
      );
    const changed = await withPhone();
    await transact(as(changed.person), (tx) =>
      setPassword(tx, changed.id, 'a hash', { exceptSession: changed.person.sessionId }),
    );
    expect(await ownSignInPhone(as(changed.person))).not.toBeNull();
  });

  test('is never a way in that keeps a passkey from being the last', async () => {
    const { id, person, number } = await somebody();
    await db.updateTable('profiles').set({ role: 'doctor' }).where('id', '=', id).execute();
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    await db.insertInto('sign_in_phones').values({ user_id: id, number, created_at: new Date() }).execute();
    const passkey = { id: guest.newId(), user_id: id, credential_id: id, user_handle: 'h', name: 'Phone' };
    await db
      .insertInto('passkeys')
      .values({
        ...passkey,
        public_key: 'k',
        counter: 0,
        transports: [],
        backup_eligible: false,
        backed_up: false,
        created_at: new Date(),
        used_at: null,
      })
      .execute();
    await expect(removePasskey(as(person), { providers: [] }, { id: passkey.id })).rejects.toMatchObject({
      reason: 'last_way_in',
    });
  });
});

describe('signing in by text', () => {
  test('works once, in the browser that asked, with audit entries and a notice of the new device', async () => {
    const { id, email, number } = await withPhone();
    const answer = await ask(number);
    expect(answer).toMatchObject({ status: 200, body: { signedIn: false } });
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^__Secure-italk\.sign_in_code=[\w-]{32}; Max-Age=600; Path=\/api\/auth; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    await runJobs();
    const code = provider.codeTo(number);
    expect(textsTo(number).at(-1)!.body).toBe(
      `${code} is your sign-in code. It works for 10 minutes.\n\n@italk.test #${code}`,
    );
    expect((await enter(code, '')).status).toBe(412);
    expect((await enter(code, (await ask((await withPhone()).number)).cookie)).status).toBe(400);
    const entered = await enter(code, answer.cookie);
    expect(entered).toMatchObject({ status: 200, body: { signedIn: true } });
    const actor = (await actorOf(production, entered.cookie)) as Person;
    expect(actor).toMatchObject({ id });
    const session = await db
      .selectFrom('sessions')
      .select('author_key')
      .where('id', '=', actor.sessionId)
      .executeTakeFirst();
    expect(session, 'the person’s words stay locked').toEqual({ author_key: null });
    expect(await entries('sign_in_code_requested', id)).toHaveLength(1);
    expect((await entries('signed_in', id)).at(-1)).toMatchObject({ success: true });
    expect((await kindsFor(email)).at(-1)).toBe('account_security: ');
    expect(await enter(code, answer.cookie)).toMatchObject(expired);
  });

  test('wins one session by entering the right code fifty times at once', async () => {
    const { number } = await withPhone();
    const { code, cookie } = await asked(number);
    const answers = await Promise.all(Array.from({ length: 50 }, () => enter(code, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('has five tries', async () => {
    const { number } = await withPhone();
    const { code, cookie } = await asked(number);
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, at) => enter(another(code, at + 1), cookie)),
    );
    expect(tries.filter(({ body }) => body.reason === 'wrong_code')).toHaveLength(4);
    expect(await enter(code, cookie)).toMatchObject({ status: 412, body: { reason: 'code_spent' } });
  });

  test('tells nobody whether a number has an account', async () => {
    const { number } = await withPhone();
    const unknown = '+12125559999';
    const shape = ({ status, body, cookies }: Awaited<ReturnType<typeof ask>>) => ({
      status,
      body: { ...body, requestId: '' },
      cookies: cookies.map((cookie) => cookie.replace(/=[\w-]{32};/, '=…;')),
    });
    // Adding the other number counted once as well.
    await ask(unknown);
    for (let at = 0; at < 4; at += 1) {
      const [known, other] = [await ask(number), await ask(unknown)];
      expect(shape(other)).toEqual(shape(known));
    }
    const stranger = await ask('+12125559998');
    expect(await enter('123456', stranger.cookie)).toMatchObject(wrong);
    await runJobs();
    expect(textsTo(unknown)).toEqual([]);
  });

  test('needs the second factor, and stays closed to suspended and unverified accounts', async () => {
    const one = await withPhone();
    await db
      .updateTable('feature_flags')
      .set({ enabled: true, scope: 'global' })
      .where('id', '=', 'two_factor_authentication')
      .execute();
    await db.updateTable('site_settings').set({ require_two_factor: true }).execute();
    const { code, cookie } = await asked(one.number);
    expect(await enter(code, cookie)).toMatchObject({
      body: { signedIn: false, secondStep: {} },
      cookies: [expect.stringContaining('.set_up=')],
    });
    await db.updateTable('site_settings').set({ require_two_factor: false }).execute();
    await db.updateTable('profiles').set({ suspended_at: new Date() }).where('id', '=', one.id).execute();
    expect(await enter(code, cookie)).toMatchObject({ status: 403, body: { reason: 'account_suspended' } });
    const held = await withPhone();
    await db.updateTable('users').set({ email_verified: false }).where('id', '=', held.id).execute();
    expect(await enter((await asked(held.number)).code, '')).toMatchObject(expired);
    expect(textsTo(held.number)).toHaveLength(1);
  });

  test('never works without a password, which a number doesn’t replace', async () => {
    const { id, number } = await withPhone();
    await db.deleteFrom('credentials').where('user_id', '=', id).execute();
    const { cookie } = await asked(number);
    expect(textsTo(number)).toHaveLength(1);
    expect(await enter('123456', cookie)).toMatchObject(wrong);
  });

  test('isn’t a proof of identity', async () => {
    const { number } = await withPhone();
    const { code, cookie } = await asked(number);
    const person = (await actorOf(production, (await enter(code, cookie)).cookie)) as Person;
    await expect(removeSignInPhone(as(person), server)).rejects.toMatchObject({
      reason: 'reauthentication_required',
    });
  });

  test('ends its sessions and their devices with the number, even at once, and no others', async () => {
    const { id, email, number, person } = await withPhone();
    const first = await asked(number);
    const opened = await enter(first.code, first.cookie);
    const byPassword = await signIn(production, email);
    const stranger = await withPhone();
    const theirs = await asked(stranger.number);
    const other = await enter(theirs.code, theirs.cookie);
    const second = await asked(number);
    const [, late] = await Promise.all([
      removeSignInPhone(as(person), server),
      enter(second.code, second.cookie),
    ]);
    for (const cookie of [opened.cookie, late.cookie ?? ''])
      expect(await actorOf(production, cookie)).toEqual({ kind: 'guest' });
    expect(await actorOf(production, byPassword.cookie)).toMatchObject({ id });
    expect(await actorOf(production, other.cookie)).toMatchObject({ id: stranger.id });
    const devices = await db
      .selectFrom('known_devices')
      .innerJoin('sessions', 'sessions.device_id', 'known_devices.id')
      .where('known_devices.user_id', '=', id)
      .select('by_phone')
      .execute();
    const known = await db.selectFrom('known_devices').where('user_id', '=', id).select('id').execute();
    expect(devices.map((device) => device.by_phone)).toEqual(known.map(() => false));
  });

  test('ends with the number, a new password and the setting', async () => {
    const removed = await withPhone();
    const first = await asked(removed.number);
    await removeSignInPhone(as(removed.person), server);
    expect(await enter(first.code, first.cookie)).toMatchObject(expired);
    const reset = await withPhone();
    const second = await asked(reset.number);
    const token = await makeLinkToken(guest, 'reset-password', reset.id);
    await send(production, '/reset-password', { token, newPassword: 'another-room-43' });
    expect(await enter(second.code, second.cookie)).toMatchObject(expired);
    const off = await withPhone();
    const third = await asked(off.number);
    await db.updateTable('site_settings').set({ sign_in_code: false }).execute();
    expect(await enter(third.code, third.cookie)).toMatchObject({ status: 403 });
    expect(await ask(off.number)).toMatchObject({ status: 403, body: { reason: 'texted_codes_off' } });
    await expect(begin((await somebody()).person, '+12125550177')).rejects.toMatchObject({
      reason: 'texted_codes_off',
    });
  });

  test('is tried again with a new code while the provider is down', async () => {
    const { number } = await withPhone();
    const { cookie } = await ask(number);
    provider.fails = { status: 500, body: '' };
    await expect(runJobs()).rejects.toMatchObject({ reason: 'texts_down' });
    const { id } = await db
      .selectFrom('sign_in_codes')
      .select('id')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    provider.fails = null;
    await transact(guest, (tx) =>
      tx.emit(tx, 'accounts.texted_code_requested', { codeId: id, byProgram: false }),
    );
    await runJobs();
    expect((await enter(provider.codeTo(number), cookie)).body).toEqual({ signedIn: true });
  });

  test('gives up on a number that the provider refuses', async () => {
    const { number } = await withPhone();
    await ask(number);
    provider.fails = { status: 400, body: '{"code":21610}' };
    await runJobs();
    expect(textsTo(number)).toHaveLength(1);
  });

  test('stores neither number nor code of those who ask', async () => {
    const { number } = await withPhone();
    const { code } = await asked(number);
    await ask('+12125559997');
    const stored = JSON.stringify([
      await db.selectFrom('sign_in_codes').selectAll().execute(),
      await db.selectFrom('audit_entries').selectAll().orderBy('id').execute(),
      await db.selectFrom('rate_limits').selectAll().execute(),
    ]);
    for (const part of [number.slice(2), '2125559997', `"${code}"`]) expect(stored).not.toContain(part);
  });
});

describe('limits', () => {
  const tooMany = { status: 429, body: { reason: 'too_many_texts' }, cookies: [] };

  test('are three texts an hour and ten a day to a number', async () => {
    const number = '+12125558001';
    let asks = 0;
    for (let hour = 12; hour < 16; hour += 1) {
      setNow(`2026-03-02T${hour}:00:00Z`);
      for (let at = 0; at < 4; at += 1) if ((await ask(number)).status === 200) asks += 1;
    }
    // Refused requests count for the hour only.
    expect(asks).toBe(10);
    expect(await ask(number)).toMatchObject(tooMany);
  });

  test('are three an hour for a person who adds numbers', async () => {
    const { person } = await somebody();
    for (const digit of [1, 2, 3]) await begin(person, `+1212555700${digit}`);
    await expect(begin(person, '+12125557004')).rejects.toMatchObject({ reason: 'too_many_texts' });
  });

  test('are twenty an hour for a network, even at once', async () => {
    const address = freshAddress();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => ask(`+1212555${6000 + at}`, { address })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  });

  test('are the site’s texts a day; numbers without an account use up none', async () => {
    const { production: capped } = identitiesOf(database, { sms: { ...provider.config, perDay: 3 } });
    const phones = [await withPhone(), await withPhone(), await withPhone(), await withPhone()];
    await forgetSiteTexts();
    for (const at of [1, 2, 3]) expect((await ask(`+1212555500${at}`, {}, capped)).status).toBe(200);
    for (const { number } of phones.slice(0, 3)) expect((await ask(number, {}, capped)).status).toBe(200);
    expect(await ask(phones[3]!.number, {}, capped)).toMatchObject(tooMany);
    expect(await ask('+12125555004', {}, capped)).toMatchObject(tooMany);
  });

  test('leave most of the site’s texts to people who sign in, and count none that weren’t sent', async () => {
    const sms = { ...provider.config, perDay: 5 };
    const { number } = await withPhone();
    await forgetSiteTexts();
    provider.fails = { status: 400, body: '{"code":21211}' };
    await expect(begin((await somebody()).person, '+12125555006', serverWith(sms))).rejects.toMatchObject({
      code: 'invalid',
    });
    provider.fails = null;
    await begin((await somebody()).person, '+12125555007', serverWith(sms));
    await expect(begin((await somebody()).person, '+12125555008', serverWith(sms))).rejects.toMatchObject({
      reason: 'too_many_texts',
    });
    const { production: capped } = identitiesOf(database, { sms });
    expect((await ask(number, {}, capped)).status).toBe(200);
  });
});

test('is off without configuration', async () => {
  const { production: off } = identitiesOf(database);
  expect(await ask('+12125550123', {}, off)).toMatchObject({
    status: 403,
    body: { reason: 'texted_codes_off' },
  });
  const { person } = await somebody();
  await expect(begin(person, '+12125550123', serverWith(null))).rejects.toMatchObject({
    code: 'forbidden',
    reason: 'texted_codes_off',
  });
});
