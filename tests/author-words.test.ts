import { createSecretKey } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { accountEffects } from '#/app/account-effects.ts';
import { selfOf } from '#/features/access/rules.ts';
import { changeEntry, removeEntry, writeEntry } from '#/features/growth/journal/commands.ts';
import { authoredEntries, journalOf, sealedEntries } from '#/features/growth/journal/queries.ts';
import { sealedNotes } from '#/features/care/notes/queries.ts';
import { writeNote } from '#/features/care/notes/commands.ts';
import { passkeyKeyOf, sessionKeyOf, unwrapByPassword, unwrapKey } from '#/platform/author-key.ts';
import type { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { keysOf } from '#/platform/keyring.ts';
import { newAuthenticator } from './support/authenticator.ts';
import { authorsOf, locked, newPassword, textsOf, words, type Member } from './support/authors.ts';
import { testDatabase } from './support/database.ts';
import { appUrl, identitiesOf, password } from './support/identity.ts';
import { hashOf } from './support/passwords.ts';
import { addAdministrator, addClient, addProvider } from './support/people.ts';
import { refusalOf } from './support/refusal.ts';
import { addSession } from './support/sessions.ts';
import { openedBackup, wholeDatabase } from './support/stored.ts';
import { unlocked } from './support/words.ts';
import { setPassword, signedIn } from '#/features/accounts/commands.ts';
import { transact } from '#/platform/db/transact.ts';
import { blockedConnections } from './support/locks.ts';
import { reauthenticate } from '#/features/accounts/reauthentication/commands.ts';
import { signOutDevice, endOtherSessions } from '#/features/accounts/session/commands.ts';
import {
  ownWords,
  renewRecoveryKey,
  startOver,
  unlockWords,
} from '#/features/accounts/author-keys/commands.ts';
import { boundTo } from '#/features/accounts/author-keys/queries.ts';
import { prfInput } from '#/features/accounts/webauthn/rules.ts';
import { editUser, openUser } from '#/features/accounts/users/commands.ts';

const now = '2026-03-02T12:00:00Z';
const database = await testDatabase({ now });
const { db, as, runJobs, readMails, setNow } = database;
const identities = identitiesOf(database);
const authors = authorsOf(database, identities);
const { production, send, signIn, verified, guest } = identities;
const { visit, member, signedInWith, reset, addTo, enterBy } = authors;

const effects = accountEffects({ adminEmails: [], appUrl });

/** Latest first. */
const textsTo = async (recipient: string, path: string) =>
  (await readMails((rows) => rows.where('recipient', '=', recipient)))
    .map(({ text_body }) => text_body)
    .filter((body) => body.includes(`/${path}`))
    .toReversed();

let people = 0;
const entries = async (ctx: Ctx) => (await journalOf(ctx, selfOf(ctx), { limit: 50 })).entries;
const keyRow = (id: string) =>
  db.selectFrom('author_keys').selectAll().where('person_id', '=', id).executeTakeFirst();

/** Runs `attempt` while the account is being recovered: it sees the state from before and waits for the lock. */
async function duringRecovery<T>(who: Member, attempt: () => Promise<T>): Promise<T> {
  let attempted: Promise<T> | undefined;
  await transact(as({ kind: 'system' }), async (tx) => {
    await setPassword(tx, who.id, await hashOf(newPassword));
    attempted = attempt();
    await expect.poll(() => blockedConnections(db)).toBe(1);
  });
  return attempted!;
}

async function recoveryKeyFor(ctx: Ctx, secret = password): Promise<string> {
  await reauthenticate(ctx, appUrl, { password: secret });
  return (await renewRecoveryKey(ctx)).recoveryKey;
}

describe('a session', () => {
  test('without a password has no key: nothing is written until the password unlocks it', async () => {
    people += 1;
    const email = `opener${people}@italk.test`;
    const { id, cookie } = await verified(email);
    const ctx = await visit(cookie);
    expect(await ownWords(ctx)).toEqual({
      state: 'unkeyed',
      passwordReplaced: false,
      byPasskey: false,
      recoveryKeyAt: null,
    });
    expect(await refusalOf(writeEntry(ctx, words))).toMatchObject(locked);
    expect(await refusalOf(unlockWords(ctx, appUrl, { password: 'not-the-password' }))).toMatchObject({
      code: 'invalid',
      fields: [{ field: 'password', reason: 'wrong_password' }],
    });
    expect(await refusalOf(unlockWords(ctx, appUrl, {}))).toMatchObject({
      fields: [{ field: 'password', reason: 'required' }],
    });
    expect(await keyRow(id)).toBeUndefined();
    expect(await unlockWords(ctx, appUrl, { password })).toMatchObject({ state: 'open' });
    await writeEntry(ctx, words);
    expect(await textsOf(ctx)).toEqual([words.text]);
    // Unlocking twice changes nothing.
    expect(await unlockWords(ctx, appUrl, { password })).toMatchObject({ state: 'open' });
    expect(await textsOf(ctx)).toEqual([words.text]);
  });

  test('is unlocked by signing in with the password, on several devices at once', async () => {
    const { email, ctx } = await member();
    await writeEntry(ctx, words);
    const others = await Promise.all([signedInWith(email, password), signedInWith(email, password)]);
    for (const other of others) {
      await writeEntry(other, { text: 'From there' });
      expect(await textsOf(ctx)).toEqual(await textsOf(other));
    }
    expect(await textsOf(ctx)).toHaveLength(3);
  });

  test('gets one key when first sign-ins run in parallel', async () => {
    people += 1;
    const email = `opener${people}@italk.test`;
    const { cookie } = await verified(email);
    const first = await visit(cookie);
    const [one, two] = await Promise.all([
      signedInWith(email, password),
      signedInWith(email, password),
      unlockWords(first, appUrl, { password }),
    ]);
    await writeEntry(one, words);
    for (const ctx of [one, two, first]) expect(await textsOf(ctx)).toEqual([words.text]);
  });

  test('can’t read, write, change or delete while locked', async () => {
    const who = await member();
    const { id } = await writeEntry(who.ctx, words);
    // The same session, without the cookie's secret.
    const { sessionKey, ...bare } = who.ctx;
    expect(sessionKey).toBeDefined();
    for (const ctx of [bare, { ...bare, sessionKey: sessionKeyOf('guess') }])
      for (const attempt of [
        () => entries(ctx),
        () => writeEntry(ctx, words),
        () => changeEntry(ctx, { entryId: id, text: 'Changed' }),
        () => removeEntry(ctx, id),
        () => refusedRenewal(ctx),
      ])
        expect(await refusalOf(attempt())).toMatchObject(locked);
    expect(await textsOf(who.ctx)).toEqual([words.text]);
  });

  const refusedRenewal = async (ctx: Ctx) => {
    await reauthenticate(ctx, appUrl, { password });
    return renewRecoveryKey(ctx);
  };

  test('opens nothing with another account’s cookie, secrets or wrapped key', async () => {
    const [ruth, boaz] = [await member(), await member()];
    await writeEntry(ruth.ctx, words);
    await writeEntry(boaz.ctx, { text: 'Of Boaz' });
    const recoveryKey = await recoveryKeyFor(ruth.ctx);
    expect(await refusalOf(entries({ ...ruth.ctx, sessionKey: boaz.ctx.sessionKey! }))).toMatchObject(locked);
    expect(await refusalOf(unlockWords(boaz.ctx, appUrl, { recoveryKey }))).toMatchObject({
      fields: [{ field: 'recoveryKey', reason: 'wrong_secret' }],
    });
    // Somebody who can write to the database moves Ruth's wrapped keys to their own rows.
    const [hers, his] = [signedIn(ruth.ctx).sessionId, signedIn(boaz.ctx).sessionId];
    await sql`update sessions set author_key = (select author_key from sessions where id = ${hers}) where id = ${his}`.execute(
      db,
    );
    expect(await refusalOf(entries(boaz.ctx))).toMatchObject(locked);
    await sql`update author_keys a set by_password = b.by_password, by_recovery_key = b.by_recovery_key
      from author_keys b where a.person_id = ${boaz.id} and b.person_id = ${ruth.id}`.execute(db);
    for (const attempt of [{ recoveryKey }, { password }, { formerPassword: password }])
      expect(await refusalOf(unlockWords(boaz.ctx, appUrl, attempt))).toMatchObject({ code: 'invalid' });
    await sql`delete from journal_entries where person_id = ${boaz.id}`.execute(db);
  });

  test('is closed by signing out, on this and on other devices', async () => {
    const who = await member();
    const there = await signedInWith(who.email, password);
    await writeEntry(who.ctx, words);
    await reauthenticate(who.ctx, appUrl, { password });
    await signOutDevice(who.ctx, { id: signedIn(there).sessionId });
    for (const attempt of [() => entries(there), () => writeEntry(there, words)])
      expect(await refusalOf(attempt())).toMatchObject(locked);
    expect(await refusalOf(unlockWords(there, appUrl, { password }))).toMatchObject({
      code: 'unauthenticated',
    });
    const third = await signedInWith(who.email, password);
    await endOtherSessions(who.ctx);
    expect(await refusalOf(entries(third))).toMatchObject(locked);
    await send(production, '/sign-out', {}, { cookie: who.cookie });
    expect(await refusalOf(writeEntry(who.ctx, words))).toMatchObject(locked);
    const left = await db.selectFrom('sessions').select('id').where('user_id', '=', who.id).execute();
    expect(left).toEqual([]);
    expect(await textsOf(await signedInWith(who.email, password))).toEqual([words.text]);
  });

  test('writes nothing once a parallel sign-out has ended it', async () => {
    const who = await member();
    const ended = await Promise.all([
      send(production, '/sign-out', {}, { cookie: who.cookie }),
      ...Array.from({ length: 6 }, (_, number) =>
        writeEntry(who.ctx, { text: `Entry ${number}` }).then(
          () => 'written',
          (error: unknown) => (error as AppError).reason,
        ),
      ),
    ]);
    for (const one of ended.slice(1)) expect(['written', 'words_locked']).toContain(one);
    const written = ended.filter((one) => one === 'written').length;
    expect(await entries(await signedInWith(who.email, password))).toHaveLength(written);
  });
});

describe('a password', () => {
  test('can’t be changed if the account is recovered meanwhile', async () => {
    const who = await member();
    const { status } = await duringRecovery(who, () =>
      send(
        production,
        '/change-password',
        { password, newPassword: 'the-takers-room-44' },
        { cookie: who.cookie },
      ),
    );
    expect(status).toBe(400);
    await signedInWith(who.email, newPassword);
  });

  test('can be changed while another session is unlocked: that one ends, this one goes on', async () => {
    const who = await member();
    await writeEntry(who.ctx, words);
    const there = await signedInWith(who.email, password);
    const { status } = await send(
      production,
      '/change-password',
      { password, newPassword },
      { cookie: who.cookie },
    );
    expect(status).toBe(200);
    expect(await refusalOf(entries(there))).toMatchObject(locked);
    expect(await textsOf(who.ctx)).toEqual([words.text]);
    expect(await keyRow(who.id)).toMatchObject({ password_replaced: false });
    expect(await textsOf(await signedInWith(who.email, newPassword))).toEqual([words.text]);
    const { by_password } = (await keyRow(who.id))!;
    expect(await unwrapByPassword(by_password, { password }, boundTo.password(who.id))).toBeNull();
  });

  test('set by an emailed link leaves the words locked, until the former one opens them', async () => {
    const who = await member();
    await writeEntry(who.ctx, words);
    const after = await reset(who);
    expect(await ownWords(after)).toMatchObject({ state: 'locked', passwordReplaced: true });
    for (const attempt of [() => entries(after), () => writeEntry(after, words)])
      expect(await refusalOf(attempt())).toMatchObject(locked);
    for (const attempt of [
      { password: newPassword },
      { formerPassword: 'never-was-one-99' },
      { recoveryKey: '0000-0000-0000-0000-0000-0000-0000-0000' },
    ])
      expect(await refusalOf(unlockWords(after, appUrl, attempt))).toMatchObject({ reason: 'wrong_secret' });
    expect(await refusalOf(unlockWords(after, appUrl, { formerPassword: password, password }))).toMatchObject(
      {
        fields: [{ field: 'password', reason: 'wrong_password' }],
      },
    );
    await unlockWords(after, appUrl, { formerPassword: password, password: newPassword });
    expect(await textsOf(after)).toEqual([words.text]);
    expect(await textsOf(await signedInWith(who.email, newPassword))).toEqual([words.text]);
  });

  test('doesn’t unlock the words after a change of a password that was set without unlocking', async () => {
    const who = await member();
    await writeEntry(who.ctx, words);
    await reset(who);
    const { cookie } = await signIn(production, who.email, newPassword);
    const third = 'a-third-quiet-room-44';
    await send(production, '/change-password', { password: newPassword, newPassword: third }, { cookie });
    const ctx = await visit(cookie);
    expect(await ownWords(ctx)).toMatchObject({ state: 'locked', passwordReplaced: true });
    await unlockWords(ctx, appUrl, { formerPassword: password, password: third });
    expect(await textsOf(await signedInWith(who.email, third))).toEqual([words.text]);
  });

  test('chosen again by an emailed link opens the words as before', async () => {
    const who = await member();
    await writeEntry(who.ctx, words);
    await reset(who);
    const back = await reset(who, password);
    expect(await textsOf(back)).toEqual([words.text]);
    expect(await ownWords(back)).toMatchObject({ passwordReplaced: false });
  });

  test('replaced by a process of an earlier release counts as replaced at the next sign-in', async () => {
    const who = await member();
    await writeEntry(who.ctx, words);
    await db
      .updateTable('credentials')
      .set({ password: await hashOf(newPassword) })
      .where('user_id', '=', who.id)
      .execute();
    const ctx = await signedInWith(who.email, newPassword);
    expect(await ownWords(ctx)).toMatchObject({ state: 'locked', passwordReplaced: true });
    await unlockWords(ctx, appUrl, { formerPassword: password, password: newPassword });
    expect(await textsOf(ctx)).toEqual([words.text]);
  });

  test('and other secrets can’t be guessed without limit', async () => {
    const who = await member();
    for (let attempt = 0; attempt < 10; attempt++)
      expect(
        await refusalOf(unlockWords(who.ctx, appUrl, { formerPassword: `guess ${attempt}` })),
      ).toMatchObject({
        reason: 'wrong_secret',
      });
    expect(await refusalOf(unlockWords(who.ctx, appUrl, { formerPassword: password }))).toMatchObject({
      code: 'rate_limited',
    });
  });
});

describe('the recovery key', () => {
  test('opens the words after a reset, typed in any case, and the new password does from then on', async () => {
    const who = await member();
    await writeEntry(who.ctx, words);
    const recoveryKey = await recoveryKeyFor(who.ctx);
    const after = await reset(who);
    const typed = recoveryKey.toLowerCase().replaceAll('-', ' ');
    await unlockWords(after, appUrl, { recoveryKey: typed, password: newPassword });
    expect(await textsOf(after)).toEqual([words.text]);
    expect(await textsOf(await signedInWith(who.email, newPassword))).toEqual([words.text]);
  });

  test('needs a recent confirmation, replaces the one before and is announced', async () => {
    const who = await member();
    expect(await refusalOf(renewRecoveryKey(who.ctx))).toMatchObject({ reason: 'reauthentication_required' });
    const first = await recoveryKeyFor(who.ctx);
    const second = await recoveryKeyFor(who.ctx);
    expect(first).not.toBe(second);
    expect(await refusalOf(unlockWords(who.ctx, appUrl, { recoveryKey: first }))).toMatchObject({
      reason: 'wrong_secret',
    });
    await unlockWords(who.ctx, appUrl, { recoveryKey: second });
    await runJobs();
    const mails = await readMails((rows) => rows.where('recipient', '=', who.email));
    expect(mails.filter(({ text_body }) => text_body.includes('new recovery key'))).toHaveLength(2);
    expect(JSON.stringify(mails)).not.toContain(second.slice(0, 9));
  });
});

test('starting over permanently deletes what was locked, and begins with a new key', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const before = await keyRow(who.id);
  const after = await reset(who);
  expect(await refusalOf(startOver(after))).toMatchObject({ reason: 'reauthentication_required' });
  await reauthenticate(after, appUrl, { password: newPassword });
  expect(await startOver(after)).toEqual({ deleted: 1 });
  expect(await ownWords(after)).toMatchObject({ state: 'unkeyed' });
  await unlockWords(after, appUrl, { password: newPassword });
  await writeEntry(after, { text: 'A new page' });
  expect(await textsOf(after)).toEqual(['A new page']);
  expect((await keyRow(who.id))!.by_password).not.toBe(before!.by_password);
});

test('nothing is deleted if the account is recovered meanwhile', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  await reauthenticate(who.ctx, appUrl, { password });
  const refusal = await duringRecovery(who, () => refusalOf(startOver(who.ctx)));
  expect(refusal).toMatchObject({ reason: 'reauthentication_required' });
  const back = await signedInWith(who.email, newPassword);
  await unlockWords(back, appUrl, { formerPassword: password });
  expect(await textsOf(back)).toEqual([words.text]);
});

test('an administrator who takes over an account finds its words locked, can’t delete them, and its author is told', async () => {
  const who = await member();
  await writeEntry(who.ctx, words);
  const [takers, secret] = [`taker.of.${who.email}`, 'a-stolen-room-44'];
  const chief = as(await addAdministrator(db));
  const { version, name } = await openUser(chief, effects, who.id);
  await editUser(chief, effects, { userId: who.id, version, fullName: name, email: takers });
  await runJobs();
  const [told] = await textsTo(who.email, 'address-change');
  expect(told).toContain('An administrator changed your account’s email address');
  expect(await textsTo(takers, 'address-change')).toEqual([]);

  const after = async (hours: number) => {
    setNow(Temporal.Instant.from(now).add({ hours }).toString());
    await send(production, '/request-password-reset', { email: takers });
    await runJobs();
    const token = /\/reset-password(?:\?[^#\s]*)?#([\w-]+)/.exec(
      (await textsTo(takers, 'reset-password'))[0]!,
    );
    const entered = await send(production, '/reset-password', { token: token![1], newPassword: secret });
    expect(entered.body).toEqual({ signedIn: true });
    const ctx = await visit(entered.cookie);
    await reauthenticate(ctx, appUrl, { password: secret });
    return ctx;
  };
  const taker = await after(72);
  const held = { reason: 'private_locked' };
  for (const attempt of [
    () => unlockWords(taker, appUrl, { password: secret }),
    () => renewRecoveryKey(taker),
    () => startOver(taker),
  ])
    expect(await refusalOf(attempt())).toMatchObject(held);
  expect(await refusalOf(entries(taker))).toMatchObject(locked);

  const patient = await after(24 * 8);
  expect(await ownWords(patient)).toMatchObject({ state: 'locked', passwordReplaced: true });
  expect(await refusalOf(entries(patient))).toMatchObject(locked);
  expect(
    await refusalOf(unlockWords(patient, appUrl, { password: secret, formerPassword: secret })),
  ).toMatchObject({ fields: [{ reason: 'wrong_secret' }] });
  expect(await refusalOf(renewRecoveryKey(patient))).toMatchObject(locked);

  await unlockWords(patient, appUrl, { formerPassword: password, password: secret });
  expect(await textsOf(patient)).toEqual([words.text]);
  setNow(now);
});

describe('text from earlier releases', () => {
  async function older(authorId: string): Promise<string> {
    const id = guest.newId();
    await db
      .insertInto('journal_entries')
      .values({
        id,
        person_id: authorId,
        title: null,
        text: sealedEntries.text.seal(guest.keyring, id, 'Written before'),
        mood: null,
        entry_date: '2026-02-01',
        created_at: new Date('2026-02-01'),
        updated_at: new Date('2026-02-01'),
      })
      .execute();
    return id;
  }
  const rowOf = (id: string) =>
    db.selectFrom('journal_entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('is read as before, until the author’s first password encrypts it once', async () => {
    people += 1;
    const email = `opener${people}@italk.test`;
    const { id, cookie } = await verified(email);
    const entry = await older(id);
    const byLink = await visit(cookie);
    expect(await textsOf(byLink)).toEqual(['Written before']);
    const ctx = await signedInWith(email, password);
    const sealed = await rowOf(entry);
    expect(sealed.by_author).toBe(true);
    expect(sealedEntries.text.open(guest.keyring, entry, sealed.text)).not.toContain('Written');
    expect(await textsOf(ctx)).toEqual(['Written before']);
    expect(await refusalOf(textsOf(byLink))).toMatchObject(locked);
    await signedInWith(email, password);
    expect(await rowOf(entry)).toEqual(sealed);
  });

  test('stays as it is while an administrator’s change of address is open', async () => {
    const client = await addClient(db);
    const entry = await older(client.id);
    await db
      .insertInto('address_changes')
      .values({
        id: client.id,
        user_id: client.id,
        former_address: 'x@italk.test',
        token: null,
        changed_at: new Date('2026-02-27T11:00:00Z'),
      })
      .execute();
    await unlocked(as(client));
    expect(await rowOf(entry)).toMatchObject({ by_author: false });
    expect(await keyRow(client.id)).toBeUndefined();
  });

  test('lets its author sign in though the server can’t open it', async () => {
    const client = await addClient(db);
    const [broken, whole] = [await older(client.id), await older(client.id)];
    await db.updateTable('journal_entries').set({ text: 'gone:AAAA' }).where('id', '=', broken).execute();
    await unlocked(as(client));
    expect(await rowOf(broken)).toMatchObject({ by_author: false });
    expect(await rowOf(whole)).toMatchObject({ by_author: true });
    await db.deleteFrom('journal_entries').where('id', '=', broken).execute();
  });
});

test('a copy of the database with all of the server’s keys contains no text, and no way to decrypt it', async () => {
  const who = await member();
  const [provider, client] = [await addProvider(db), await addClient(db)];
  await addSession(db, { client, provider });
  const entry = await writeEntry(who.ctx, words);
  const serving = await unlocked(as(provider));
  const note = await writeNote(serving, 'private', { clientId: client.id, text: words.text });
  const recoveryKey = await recoveryKeyFor(who.ctx);
  const device = newAuthenticator(appUrl, { prf: true });
  const { id: passkeyId } = await addTo(who.ctx, device);
  const byPasskey = await enterBy(device);
  // Its secret is kept for the password that hasn't come yet.
  const later = newAuthenticator(appUrl, { prf: true });
  await addTo(who.ctx, later, { prf: null });
  const waiting = await enterBy(later);
  await runJobs();

  const rings = Object.values(database.keys).flatMap((list) => [...keysOf(list).values()]);
  const dump = [await wholeDatabase(database), await openedBackup(database)].join('\n');
  expect(dump).not.toMatch(/riverwords|candlewords/i);
  for (const secret of [password, recoveryKey, recoveryKey.replaceAll('-', ''), device.prf!, later.prf!])
    expect(dump).not.toContain(secret);

  const { keyring, privateNotes } = guest;
  const row = await db
    .selectFrom('journal_entries')
    .selectAll()
    .where('id', '=', entry.id)
    .executeTakeFirstOrThrow();
  const noteRow = await db
    .selectFrom('private_notes')
    .selectAll()
    .where('id', '=', note.id)
    .executeTakeFirstOrThrow();
  const inner = [
    sealedEntries.title.open(keyring, row.id, row.title!),
    sealedEntries.text.open(keyring, row.id, row.text),
    sealedNotes.private.open(privateNotes, noteRow.id, noteRow.text),
  ];
  expect(inner.join()).not.toMatch(/riverwords|candlewords/i);

  const sessionOf = (ctx: Ctx) =>
    db.selectFrom('sessions').selectAll().where('id', '=', signedIn(ctx).sessionId).executeTakeFirstOrThrow();
  const session = await sessionOf(who.ctx);
  const passkey = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('id', '=', passkeyId)
    .executeTakeFirstOrThrow();
  const { passkey_id: laterId, passkey_key, ...waitingSession } = await sessionOf(waiting);
  const { by_recovery_key } = (await keyRow(who.id))!;
  // Everything the server knows or stores, tried as a key.
  const known = [
    ...rings,
    Buffer.from(session.token, 'base64url'),
    ...[session.id, session.token, waitingSession.token, who.id, 'x'.repeat(40)].map(sessionKeyOf),
    ...[passkey.credential_id, passkey.user_handle, passkey.public_key].map((bytes) =>
      passkeyKeyOf(Buffer.from(bytes, 'base64url')),
    ),
    passkeyKeyOf(Buffer.from(prfInput)),
  ].map((key) => (Buffer.isBuffer(key) ? createSecretKey(key) : key));
  for (const key of known) {
    expect(unwrapKey(session.author_key!, key, boundTo.session(session.id, who.id))).toBeNull();
    expect(unwrapKey(by_recovery_key!, key, boundTo.recoveryKey(who.id))).toBeNull();
    expect(unwrapKey(passkey.author_key!, key, boundTo.passkey(passkeyId, who.id))).toBeNull();
    expect(unwrapKey(passkey_key!, key, boundTo.passkeyInSession(waitingSession.id, laterId!))).toBeNull();
    expect(() => authoredEntries.open(guest, key, { id: row.id, author: who.id }, 'text', row.text)).toThrow(
      /authenticate/,
    );
  }
  // In the database and in the backup, wrapped.
  expect(dump.split(passkey.author_key!)).toHaveLength(3);
  for (const ctx of [who.ctx, byPasskey]) expect(await textsOf(ctx)).toEqual([words.text]);
});
