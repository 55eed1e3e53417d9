import { Secret, TOTP } from 'otpauth';
import { beforeEach, expect, test } from 'vitest';
import { transact } from '#/platform/db/transact.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { identitiesOf, password } from '../../../../tests/support/identity.ts';
import { addAdministrator, type Person } from '../../../../tests/support/people.ts';
import { deleteSessions, setPassword } from '../commands.ts';
import { endOtherSessions } from '../session/commands.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  resetSecondFactor,
} from '../second-factor/commands.ts';
import { distrustDevice, ownTrustedDevices } from './commands.ts';

const database = await testDatabase({ poolSize: 4 });
const { guest, production, send, signIn, actorOf, verified, entries } = identitiesOf(database);
const { db, as, setNow } = database;
const start = Temporal.Instant.from('2026-03-02T12:00:00Z');
const later = (minutes: number) => setNow(start.add({ minutes }).toString());
const days = (count: number) => count * 24 * 60;

beforeEach(async () => {
  later(0);
  await db
    .updateTable('feature_flags')
    .set({ enabled: true, scope: 'global' })
    .where('id', '=', 'two_factor_authentication')
    .execute();
});

function shown(secret: string, secondsOn = 0): string {
  const timestamp = guest.now().epochMilliseconds + secondsOn * 1_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** What a browser keeps of the responses' cookies. */
function kept(...answers: { cookies: string[] }[]): string {
  return answers
    .flatMap(({ cookies }) => cookies)
    .map((cookie) => cookie.split(';')[0]!)
    .filter((cookie) => cookie.includes('italk.device.'))
    .join('; ');
}

const enter = (email: string, given: object, cookie = '') =>
  send(
    production,
    '/sign-in/email',
    { email, password, ...given },
    { cookie, headers: { 'user-agent': chrome } },
  );

let people = 0;
async function withApp() {
  const email = `trusts.devices.${(people += 1)}@italk.test`;
  const { id, cookie } = await verified(email);
  const person = (await actorOf(production, cookie)) as Person;
  const { secret } = await beginSecondFactor(as(person), { password });
  const { backupCodes } = await confirmSecondFactor(as(person), { code: shown(secret, -30) });
  return { id, email, person, secret, backupCodes };
}

async function trusted(given: { trust?: boolean } = { trust: true }) {
  const someone = await withApp();
  const entered = await enter(someone.email, { code: shown(someone.secret), ...given });
  expect(entered.body).toEqual({ signedIn: true });
  const person = (await actorOf(production, entered.cookie)) as Person;
  return { ...someone, person, device: kept(entered) };
}

const isAsked = async (email: string, device: string) =>
  (await enter(email, {}, device)).body.signedIn === false;

test('a trusted device needs no second step for 30 days, and no other device is trusted', async () => {
  const { id, email, person, device } = await trusted();
  expect(device).not.toBe('');
  expect(await entries('device_trusted', id)).toHaveLength(1);
  expect(await ownTrustedDevices(as(person))).toEqual([
    {
      id: expect.any(String) as string,
      browser: 'Chrome',
      system: 'Windows',
      trustedUntil: start.add({ minutes: days(30) }).toString({ fractionalSecondDigits: 3 }),
      current: true,
    },
  ]);
  expect(await isAsked(email, '')).toBe(true);
  expect(await isAsked(email, device)).toBe(false);
  later(days(30) - 1);
  expect(await isAsked(email, device)).toBe(false);
  later(days(30));
  expect(await isAsked(email, device)).toBe(true);
});

test('a known device isn’t trusted unless asked to be', async () => {
  const { email, person, device } = await trusted({});
  expect(await isAsked(email, device)).toBe(true);
  expect(await ownTrustedDevices(as(person))).toEqual([]);
});

test('trust needs the second step, and is the account’s own', async () => {
  const mine = await withApp();
  const first = await enter(mine.email, { trust: true });
  expect(first.body.signedIn).toBe(false);
  expect(first.body.secondStep).toMatchObject({ mayTrust: true });
  const wrong = await enter(mine.email, { trust: true, code: '000000' });
  expect(wrong.status).toBe(400);
  expect(await isAsked(mine.email, kept(first, wrong))).toBe(true);
  const theirs = await trusted();
  const renamed = theirs.device.replace(/italk\.device\.[\w-]+/, await deviceNameOf(mine));
  expect(await isAsked(mine.email, renamed)).toBe(true);
});

test('a device isn’t trusted before there is a second step', async () => {
  const email = `trusts.devices.${(people += 1)}@italk.test`;
  const { id } = await verified(email);
  const early = await enter(email, { code: '000000', trust: true });
  expect(early.body).toEqual({ signedIn: true });
  await db.updateTable('site_settings').set({ require_two_factor: true }).execute();
  const { secondStep } = (await enter(email, {})).body as { secondStep: { setUp: { secret: string } } };
  expect((await enter(email, { code: shown(secondStep.setUp.secret) })).body).toMatchObject({
    signedIn: true,
  });
  expect(await isAsked(email, kept(early))).toBe(true);
  await db.updateTable('site_settings').set({ require_two_factor: false }).execute();
  expect(await entries('device_trusted', id)).toEqual([]);
});

/** The cookie's name for this account. */
async function deviceNameOf({ email, secret }: { email: string; secret: string }): Promise<string> {
  later(2);
  const entered = await enter(email, { code: shown(secret) });
  return kept(entered).split('=')[0]!.replace('__Secure-', '');
}

test('administrators are always asked', async () => {
  const { id, email, secret } = await withApp();
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', id).execute();
  expect((await enter(email, {})).body.secondStep).not.toHaveProperty('mayTrust');
  const entered = await enter(email, { code: shown(secret), trust: true });
  expect(entered.body).toEqual({ signedIn: true });
  expect(await isAsked(email, kept(entered))).toBe(true);
  expect(await entries('device_trusted', id)).toEqual([]);
});

test('a client who becomes an administrator is asked again', async () => {
  const { id, email, device } = await trusted();
  await db.updateTable('profiles').set({ role: 'super_admin' }).where('id', '=', id).execute();
  expect(await isAsked(email, device)).toBe(true);
});

test('its owner ends it, and nobody else', async () => {
  const { id, email, person, device } = await trusted();
  const [shownDevice] = await ownTrustedDevices(as(person));
  const stranger = await trusted();
  await expect(distrustDevice(as(stranger.person), { id: shownDevice!.id })).rejects.toMatchObject({
    code: 'not_found',
    reason: 'device',
  });
  expect(await distrustDevice(as(person), { id: shownDevice!.id })).toEqual([]);
  await expect(distrustDevice(as(person), { id: shownDevice!.id })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await entries('device_distrusted', id)).toHaveLength(1);
  expect(await isAsked(email, device)).toBe(true);
});

test.each<[string, (someone: Awaited<ReturnType<typeof trusted>>) => Promise<unknown>]>([
  [
    'a password changed on it',
    ({ id, person: { sessionId } }) =>
      transact(guest, (tx) => setPassword(tx, id, 'hash', { exceptSession: sessionId })),
  ],
  ['a password reset', ({ id }) => transact(guest, (tx) => setPassword(tx, id, 'hash'))],
  ['ending all sessions, as a suspension does,', ({ id }) => transact(guest, (tx) => deleteSessions(tx, id))],
  [
    'signing out elsewhere',
    async ({ email, secret }) => {
      later(3);
      const here = await enter(email, { code: shown(secret) });
      await endOtherSessions(as(await actorOf(production, here.cookie)));
    },
  ],
])('%s ends it', async (_, happens) => {
  const someone = await trusted();
  await happens(someone);
  const rows = await db
    .selectFrom('known_devices')
    .select('id')
    .where('user_id', '=', someone.id)
    .where('trusted_until', 'is not', null)
    .execute();
  expect(rows).toEqual([]);
});

test('a new second factor starts without trusted devices', async () => {
  const { id, email, person, device, backupCodes } = await trusted();
  await removeSecondFactor(as(person), { password, code: backupCodes[0] });
  later(5);
  const { secret } = await beginSecondFactor(as(person), { password });
  await confirmSecondFactor(as(person), { code: shown(secret) });
  expect(await isAsked(email, device)).toBe(true);
  await resetSecondFactor(as(await addAdministrator(db)), { id });
  expect((await signIn(production, email)).body).toEqual({ signedIn: true });
});
