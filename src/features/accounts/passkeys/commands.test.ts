import { beforeEach, expect, test } from 'vitest';
import {
  newAuthenticator,
  newRsaKey,
  type Authenticator,
  type Said,
} from '../../../../tests/support/authenticator.ts';
import { testDatabase } from '../../../../tests/support/database.ts';
import { appUrl, identitiesOf, password } from '../../../../tests/support/identity.ts';
import { addClient, freshSession, type Person } from '../../../../tests/support/people.ts';
import { deleteExpired, requireFresh } from '../commands.ts';
import { reauthenticate } from '../reauthentication/commands.ts';
import type { Assertion, Attestation } from '../webauthn/contract.ts';
import {
  addPasskey,
  askOwnPasskey,
  beginPasskey,
  ownPasskeys,
  removePasskey,
  renamePasskey,
} from './commands.ts';
import { maxPasskeys } from './rules.ts';

const database = await testDatabase({ poolSize: 4 });
const { db, as, runJobs, readMails, setNow } = database;
const { production, signIn, actorOf, verified, entries } = identitiesOf(database);

beforeEach(async () => {
  setNow('2026-03-02T12:00:00Z');
  await db.updateTable('site_settings').set({ passkeys: true }).execute();
});

const noProviders = { providers: [] };

let people = 0;
async function somebody(): Promise<{ id: string; email: string; person: Person }> {
  const email = `has.passkeys.${(people += 1)}@italk.test`;
  const { id } = await verified(email);
  return { id, email, person: await freshSession(db, { kind: 'person', id, role: 'client', sessionId: '' }) };
}

async function add(person: Person, device = newAuthenticator(appUrl), said: Said = {}) {
  const made = device.create(await beginPasskey(as(person), appUrl), said) as Attestation;
  return addPasskey(as(person), appUrl, { passkey: made });
}

const stale = (person: Person) =>
  db.updateTable('sessions').set({ reauthenticated_at: null }).where('id', '=', person.sessionId).execute();
const reason = (text: string) => ({ reason: text });

test('is added under its maker’s name, listed, logged and reported by email', async () => {
  const { id, email, person } = await somebody();
  const aaguid = Buffer.from('fbfc3007154e4ecc8c0b6e020557d7bd', 'hex');
  const added = await add(person, newAuthenticator(appUrl), { aaguid });
  expect(added).toEqual({
    id: added.id,
    name: 'iCloud Keychain',
    synced: true,
    createdAt: '2026-03-02T12:00:00.000Z',
    usedAt: null,
    opensWords: false,
  });
  expect(await ownPasskeys(as(person))).toEqual([added]);
  expect(await entries('passkey_added', id)).toHaveLength(1);
  await runJobs();
  const mails = await readMails((rows) => rows.where('recipient', '=', email));
  expect(mails.map(({ text_body }) => text_body).join()).toContain('A passkey was added to your account.');
});

test('is named after the browser where its maker is unknown', async () => {
  const { person } = await somebody();
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  const seen = new Date('2026-03-02T11:59:00Z');
  await db
    .updateTable('sessions')
    .set({ user_agent: chrome, created_at: seen, updated_at: seen })
    .where('id', '=', person.sessionId)
    .execute();
  expect((await add(person)).name).toBe('Chrome on Windows');
});

test('asks authenticators for what it needs, and names the account by a random handle', async () => {
  const { id, email, person } = await somebody();
  const first = await beginPasskey(as(person), appUrl);
  expect(first).toMatchObject({
    rp: { id: 'italk.test' },
    user: { name: email },
    pubKeyCredParams: [{ alg: -8 }, { alg: -7 }],
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  });
  expect(Buffer.from(first.user.id, 'base64url')).toHaveLength(32);
  expect(Buffer.from(first.user.id, 'base64url').toString('latin1')).not.toContain(id);
  const device = newAuthenticator(appUrl);
  await addPasskey(as(person), appUrl, { passkey: device.create(first) as Attestation });
  const second = await beginPasskey(as(person), appUrl);
  expect(second.user.id).toBe(first.user.id);
  expect(second.excludeCredentials).toMatchObject([{ id: device.id }]);
  expect((await beginPasskey(as((await somebody()).person), appUrl)).user.id).not.toBe(first.user.id);
});

test.each<[string, Said]>([
  ['from another site', { origin: 'https://evil.test' }],
  ['for another site', { rpId: 'evil.test' }],
  ['without checking the person', { userVerified: false }],
  ['with a statement in the wrong format', { statement: { sig: Buffer.of(1) } }],
  ['with certificates, which nobody asked for', { format: 'packed', statement: { x5c: [Buffer.of(1)] } }],
  ['with an RSA key', { cose: newRsaKey().cose }],
  ['in an unknown format', { format: 'apple', statement: { x5c: [Buffer.of(1)] } }],
])('refuses one made %s', async (_, said) => {
  const { person } = await somebody();
  await expect(add(person, newAuthenticator(appUrl), said)).rejects.toMatchObject(reason('wrong_passkey'));
  expect(await ownPasskeys(as(person))).toEqual([]);
});

test('refuses a challenge that is late, used, replaced, invented or another session’s', async () => {
  const { person } = await somebody();
  const other = await freshSession(db, person);
  const give = (whose: Person, device: Authenticator, asked: Awaited<ReturnType<typeof beginPasskey>>) =>
    addPasskey(as(whose), appUrl, { passkey: device.create(asked) as Attestation });
  const expired = reason('passkey_expired');
  const replaced = await beginPasskey(as(person), appUrl);
  const asked = await beginPasskey(as(person), appUrl);
  const device = newAuthenticator(appUrl);
  await expect(give(person, device, replaced)).rejects.toMatchObject(expired);
  await expect(give(other, device, asked)).rejects.toMatchObject(expired);
  await expect(give(person, device, { ...asked, challenge: 'invented' })).rejects.toMatchObject(expired);
  await give(person, device, asked);
  await expect(give(person, newAuthenticator(appUrl), asked)).rejects.toMatchObject(expired);
  const late = await beginPasskey(as(person), appUrl);
  setNow('2026-03-02T12:05:00Z');
  await deleteExpired(as({ kind: 'job', name: 'tidy' }));
  await expect(give(person, newAuthenticator(appUrl), late)).rejects.toMatchObject(expired);
});

test('refuses a passkey that any account has already', async () => {
  const [mine, theirs] = [await somebody(), await somebody()];
  const device = newAuthenticator(appUrl);
  await add(mine.person, device);
  for (const { person } of [mine, theirs])
    await expect(add(person, device)).rejects.toMatchObject(reason('passkey_exists'));
});

test('needs a recent confirmation to add and remove, but not to rename', async () => {
  const { person } = await somebody();
  const { id } = await add(person);
  const asked = await beginPasskey(as(person), appUrl);
  await stale(person);
  const required = reason('reauthentication_required');
  const made = newAuthenticator(appUrl).create(asked) as Attestation;
  await expect(beginPasskey(as(person), appUrl)).rejects.toMatchObject(required);
  await expect(addPasskey(as(person), appUrl, { passkey: made })).rejects.toMatchObject(required);
  await expect(removePasskey(as(person), noProviders, { id })).rejects.toMatchObject(required);
  expect(await renamePasskey(as(person), { id, name: 'Phone' })).toMatchObject([{ id, name: 'Phone' }]);
});

test('can be confirmed with, for this session, by its owner', async () => {
  const [mine, theirs] = [await somebody(), await somebody()];
  const [device, foreign] = [newAuthenticator(appUrl), newAuthenticator(appUrl)];
  await add(mine.person, device);
  await add(theirs.person, foreign);
  await stale(mine.person);
  const ctx = as(mine.person);
  const confirm = (by: Authenticator, asked: { challenge: string }, from = ctx) =>
    reauthenticate(from, appUrl, { passkey: by.get(asked) as Assertion });
  const asked = await askOwnPasskey(ctx, appUrl);
  expect(asked.allowCredentials).toMatchObject([{ id: device.id }]);
  await expect(confirm(device, asked, as(await freshSession(db, mine.person)))).rejects.toMatchObject(
    reason('passkey_expired'),
  );
  await confirm(device, asked);
  await requireFresh(ctx);
  await expect(confirm(device, asked)).rejects.toMatchObject(reason('passkey_expired'));
  await expect(confirm(foreign, await askOwnPasskey(ctx, appUrl))).rejects.toMatchObject(
    reason('wrong_passkey'),
  );
});

test('goes on working with an RSA key from before', async () => {
  const { person } = await somebody();
  const device = newAuthenticator(appUrl);
  const { id } = await add(person, device);
  const { key, cose } = newRsaKey();
  const public_key = cose.toString('base64url');
  await db.updateTable('passkeys').set({ public_key }).where('id', '=', id).execute();
  await stale(person);
  const ctx = as(person);
  const confirm = async (said: Said) =>
    reauthenticate(ctx, appUrl, { passkey: device.get(await askOwnPasskey(ctx, appUrl), said) as Assertion });
  await expect(confirm({})).rejects.toMatchObject(reason('wrong_passkey'));
  await confirm({ key });
  await requireFresh(ctx);
});

test('renames and removes one’s own only, with log entries and an email', async () => {
  const [mine, theirs] = [await somebody(), await somebody()];
  const { id } = await add(theirs.person);
  const missing = { code: 'not_found', reason: 'passkey' };
  await expect(renamePasskey(as(mine.person), { id, name: 'Mine' })).rejects.toMatchObject(missing);
  await expect(removePasskey(as(mine.person), noProviders, { id })).rejects.toMatchObject(missing);
  expect(await removePasskey(as(theirs.person), noProviders, { id })).toEqual([]);
  expect(await entries('passkey_removed', theirs.id)).toHaveLength(1);
  await expect(askOwnPasskey(as(theirs.person), appUrl)).rejects.toMatchObject(missing);
  await runJobs();
  const mails = await readMails((rows) => rows.where('recipient', '=', theirs.email));
  expect(mails.map(({ text_body }) => text_body).join()).toContain(
    'A passkey was removed from your account.',
  );
  const { cookie } = await signIn(production, theirs.email, password);
  expect(await actorOf(production, cookie)).toMatchObject({ id: theirs.id });
});

test('is never removed as the last way in', async () => {
  const client = await addClient(db);
  const person = await freshSession(db, client);
  const { id } = await add(person);
  await db.updateTable('profiles').set({ role: 'doctor' }).where('id', '=', client.id).execute();
  await expect(removePasskey(as(person), noProviders, { id })).rejects.toMatchObject({
    code: 'precondition',
    reason: 'last_way_in',
  });
  const other = await add(person);
  await db.updateTable('site_settings').set({ passkeys: false }).execute();
  await expect(removePasskey(as(person), noProviders, { id })).rejects.toMatchObject(reason('last_way_in'));
  await db.updateTable('site_settings').set({ passkeys: true }).execute();
  expect(await removePasskey(as(person), noProviders, { id })).toMatchObject([{ id: other.id }]);
});

test('is limited in number, even when added in parallel', { tags: ['long'] }, async () => {
  const { id, person } = await somebody();
  for (let count = 1; count < maxPasskeys; count += 1) await add(person);
  const sessions = await Promise.all([1, 2, 3].map(() => freshSession(db, person)));
  const added = await Promise.allSettled(sessions.map((session) => add(session)));
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await ownPasskeys(as({ ...person, id }))).toHaveLength(maxPasskeys);
});

test('isn’t made while passkeys are off, but can still be removed', async () => {
  const { person } = await somebody();
  const { id } = await add(person);
  await db.updateTable('site_settings').set({ passkeys: false }).execute();
  await expect(beginPasskey(as(person), appUrl)).rejects.toMatchObject(reason('passkeys_off'));
  await expect(askOwnPasskey(as(person), appUrl)).rejects.toMatchObject(reason('passkeys_off'));
  expect(await removePasskey(as(person), noProviders, { id })).toEqual([]);
});
