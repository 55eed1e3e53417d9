import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone, recordRefused } from '#/features/audit/commands.ts';
import {
  newAuthorKey,
  newRecoverySecret,
  recoveryKeyOf,
  sessionKeyOf,
  unwrapByPassword,
  unwrapKey,
  wrapByPassword,
  wrapKey,
  type AuthoredRow,
  type AuthoredTable,
} from '#/platform/author-key.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { countAttempt, uncountAttempt } from '#/platform/http/limits.ts';
import { derivationOf, hashPassword, type KnownPassword } from '#/platform/password-hash.ts';
import { lockAccount, requireFresh, signedIn } from '../commands.ts';
import { requirePassword, requireSamePassword } from '../password/commands.ts';
import { privateLockedUntil, requireUnlocked } from '../queries.ts';
import { allowances } from '../tries/rules.ts';
import { countPasskeyUse, provePasskeyInSession, type ProvenPasskey } from '../webauthn/commands.ts';
import type { UnlockInput, WordsState } from './contract.ts';
import { requireAuthorKey } from './policies.ts';
import { authorKeyRow, boundTo, sessionAuthorKey, wordsState } from './queries.ts';
import { recoverySecret, recoveryText } from './rules.ts';

export async function ownWords(ctx: Ctx): Promise<WordsState> {
  return wordsState(ctx, signedIn(ctx).id);
}

/** A verified passkey and its wrapping secret. */
type WrappingPasskey = Pick<ProvenPasskey, 'id' | 'userId' | 'key'>;

/**
 * Unlocks a new session with the password or passkey it began with; the first password makes the author key. Both
 * together let the passkey unlock alone from then on. Leaves the words locked if the password was replaced without the
 * former one, or the passkey doesn't open them. Expects the account to be locked.
 */
export async function openWordsAtSignIn(
  tx: TxCtx,
  {
    personId,
    sessionId,
    token,
    password,
    passkey,
  }: {
    personId: string;
    sessionId: string;
    token: string;
    password?: KnownPassword | undefined;
    passkey?: WrappingPasskey | null;
  },
): Promise<void> {
  const row = await authorKeyRow(tx, personId);
  // Someone else may be signing in, so text from earlier releases stays as it is.
  if (!row && (await privateLockedUntil(tx, personId))) return;
  let key: KeyObject | null = null;
  if (password) {
    key = row
      ? await unwrapByPassword(row.by_password, password, boundTo.password(personId))
      : await makeAuthorKey(tx, personId, password);
    // Earlier releases replace passwords without their keys.
    if (row && row.password_replaced !== (key === null))
      await tx.db
        .updateTable('author_keys')
        .set({ password_replaced: key === null })
        .where('person_id', '=', personId)
        .execute();
    if (row && key && derivationOf(row.by_password) !== derivationOf(password.hash))
      await setPasswordWrap(tx, personId, key, password);
  }
  if (row && passkey) key ??= await openedByPasskey(tx, passkey);
  const sessionKey = sessionKeyOf(token);
  if (key) {
    await openInSession(tx, { personId, sessionId, sessionKey }, key);
    if (passkey) await setPasskeyWrap(tx, key, passkey);
  } else if (passkey) await keepPasskey(tx, { personId, sessionId, sessionKey }, passkey);
}

/**
 * Unlocks the caller's session by one of their secrets. If the current password is given, it unlocks from now on, and
 * so does the passkey that the session began with. Throws `requirePassword`, `provePasskeyInSession` and
 * `countPasskeyUse` errors, invalid `required` for the field `password`, invalid `wrong_secret` for the field
 * `formerPassword`, `recoveryKey` or `passkey`, rate_limited `too_many_tries`, precondition `private_locked`.
 */
export async function unlockWords(ctx: Ctx, appUrl: string, input: UnlockInput): Promise<WordsState> {
  const { id: personId, sessionId } = signedIn(ctx);
  const { sessionKey } = ctx;
  if (!sessionKey) throw new AppError('unauthenticated', 'sign_in_required');
  await requireUnlocked(ctx, personId);
  const { password, formerPassword, recoveryKey, passkey } = input;
  if ((password ?? formerPassword ?? recoveryKey ?? passkey) === undefined)
    throw invalidField('password', 'required');
  const known = password === undefined ? undefined : await requirePassword(ctx, password);
  const tries = `unlock-words:${personId}`;
  if (
    !(await countAttempt(ctx.db, tries, allowances.passwords.tries, allowances.passwords.seconds, ctx.now()))
  ) {
    await refused(ctx, personId, 'too_many_tries');
    throw new AppError('rate_limited', 'too_many_tries');
  }
  const proven = passkey && (await provePasskeyInSession(ctx, appUrl, sessionId, passkey));
  const unlocked = await transact(ctx, async (tx) => {
    await lockAccount(tx, personId);
    if (known) await requireSamePassword(tx, known);
    if (proven) await countPasskeyUse(tx, personId, proven);
    const row = await authorKeyRow(tx, personId);
    if (!row && !known) throw invalidField('password', 'required');
    const key = row
      ? await openedBy(tx, row, { known, formerPassword, recoveryKey, passkey: proven })
      : await makeAuthorKey(tx, personId, known!);
    if (!key) return null;
    if (row && known) await setPasswordWrap(tx, personId, key, known);
    const began = await passkeyOfSession(tx, { personId, sessionId, sessionKey });
    if (began) await setPasskeyWrap(tx, key, began);
    await openInSession(tx, { personId, sessionId, sessionKey }, key);
    await record(tx, 'words_unlocked', personId);
    return wordsState(tx, personId);
  });
  if (unlocked) {
    await uncountAttempt(ctx.db, tries);
    return unlocked;
  }
  await refused(ctx, personId, 'wrong_secret');
  throw invalidField(
    recoveryKey !== undefined ? 'recoveryKey' : passkey ? 'passkey' : 'formerPassword',
    'wrong_secret',
  );
}

/**
 * Creates a recovery key, returned only once, and invalidates the previous one. Throws precondition
 * `reauthentication_required`, `private_locked` or `words_locked`.
 */
export async function renewRecoveryKey(ctx: Ctx): Promise<{ recoveryKey: string }> {
  const { id: personId } = signedIn(ctx);
  await requireFresh(ctx);
  await requireUnlocked(ctx, personId);
  const secret = newRecoverySecret();
  await transact(ctx, async (tx) => {
    await lockAccount(tx, personId);
    const key = await requireAuthorKey(tx);
    await tx.db
      .updateTable('author_keys')
      .set({
        by_recovery_key: wrapKey(key, recoveryKeyOf(secret), boundTo.recoveryKey(personId)),
        recovery_key_at: new Date(tx.now().epochMilliseconds),
      })
      .where('person_id', '=', personId)
      .execute();
    await record(tx, 'recovery_key_renewed', personId);
    await tx.emit(tx, 'accounts.secured', { userId: personId, change: 'recovery_key' });
  });
  return { recoveryKey: recoveryText(secret) };
}

/**
 * Deletes the author key with all text that it locked, for a person who lost every secret. Throws precondition
 * `reauthentication_required` or `private_locked`.
 */
export async function startOver(ctx: Ctx): Promise<{ deleted: number }> {
  const { id: personId } = signedIn(ctx);
  return transact(ctx, async (tx) => {
    await lockAccount(tx, personId);
    // Recovery ends the sessions of an account's intruder.
    await requireFresh(tx);
    await requireUnlocked(tx, personId);
    // First: waits for what unlocked sessions write.
    await tx.db.updateTable('sessions').set({ author_key: null }).where('user_id', '=', personId).execute();
    let deleted = 0;
    for (const { table, author } of tx.authored) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ${sql.ref(author)} = ${personId} and by_author`.execute(tx.db);
      deleted += Number(numAffectedRows ?? 0);
    }
    await tx.db.updateTable('passkeys').set({ author_key: null }).where('user_id', '=', personId).execute();
    await tx.db.deleteFrom('author_keys').where('person_id', '=', personId).execute();
    await record(tx, 'words_started_over', personId);
    await tx.emit(tx, 'accounts.secured', { userId: personId, change: 'words_deleted' });
    return { deleted };
  });
}

/**
 * Lets the new password unlock from now on, after `setPassword` by someone who knew the former one. Does nothing if
 * neither the session nor the former password opens the key.
 */
export async function rewrapAuthorKey(
  tx: TxCtx,
  { personId, former, chosen }: Record<'former' | 'chosen', KnownPassword> & { personId: string },
): Promise<void> {
  const row = await authorKeyRow(tx, personId);
  if (!row) return;
  const key =
    (await sessionAuthorKey(tx)) ??
    (await unwrapByPassword(row.by_password, former, boundTo.password(personId)));
  if (key) await setPasswordWrap(tx, personId, key, chosen);
}

async function makeAuthorKey(tx: TxCtx, personId: string, password: KnownPassword): Promise<KeyObject> {
  const key = newAuthorKey();
  await tx.db
    .insertInto('author_keys')
    .values({
      person_id: personId,
      by_password: await wrapByCurrent(tx, personId, key, password),
      password_replaced: false,
      by_recovery_key: null,
      recovery_key_at: null,
      created_at: new Date(tx.now().epochMilliseconds),
    })
    .execute();
  return key;
}

type KeyRow = NonNullable<Awaited<ReturnType<typeof authorKeyRow>>>;

async function openedBy(
  tx: TxCtx,
  row: KeyRow,
  {
    known,
    formerPassword,
    recoveryKey,
    passkey,
  }: Pick<UnlockInput, 'formerPassword' | 'recoveryKey'> & {
    known: KnownPassword | undefined;
    passkey: ProvenPasskey | undefined;
  },
): Promise<KeyObject | null> {
  const { person_id: personId } = row;
  if (recoveryKey !== undefined) {
    const secret = recoverySecret(recoveryKey);
    if (!secret || !row.by_recovery_key) return null;
    return unwrapKey(row.by_recovery_key, recoveryKeyOf(secret), boundTo.recoveryKey(personId));
  }
  if (passkey) return openedByPasskey(tx, passkey);
  const given = formerPassword === undefined ? known : { password: formerPassword };
  return given ? unwrapByPassword(row.by_password, given, boundTo.password(personId)) : null;
}

/** Null without a wrapped copy or its secret. */
async function openedByPasskey(tx: TxCtx, { id, userId, key }: WrappingPasskey): Promise<KeyObject | null> {
  const passkey = await tx.db
    .selectFrom('passkeys')
    .select('author_key')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return key && passkey?.author_key ? unwrapKey(passkey.author_key, key, boundTo.passkey(id, userId)) : null;
}

/** Null while words are locked, or without PRF. */
export function wrapByPasskey(authorKey: KeyObject | null, passkey: WrappingPasskey): string | null {
  const { id, userId, key } = passkey;
  return authorKey && key && wrapKey(authorKey, key, boundTo.passkey(id, userId));
}

/** Lets a passkey unlock the words, if possible. */
export async function setPasskeyWrap(
  tx: TxCtx,
  authorKey: KeyObject | null,
  passkey: WrappingPasskey,
): Promise<void> {
  const wrapped = wrapByPasskey(authorKey, passkey);
  if (wrapped === null) return;
  await tx.db
    .updateTable('passkeys')
    .set({ author_key: wrapped })
    .where('id', '=', passkey.id)
    .where('user_id', '=', passkey.userId)
    .execute();
}

/** The session’s passkey, if it left words locked. */
async function passkeyOfSession(
  tx: TxCtx,
  { personId, sessionId, sessionKey }: OpenSession,
): Promise<WrappingPasskey | null> {
  const session = await tx.db
    .selectFrom('sessions')
    .select(['passkey_id', 'passkey_key'])
    .where('id', '=', sessionId)
    .where('user_id', '=', personId)
    .executeTakeFirst();
  if (!session?.passkey_id || !session.passkey_key) return null;
  const id = session.passkey_id;
  const key = unwrapKey(session.passkey_key, sessionKey, boundTo.passkeyInSession(sessionId, id));
  return { id, userId: personId, key };
}

/** Keeps what the passkey derived, if anything. */
async function keepPasskey(
  tx: TxCtx,
  { sessionId, sessionKey }: OpenSession,
  { id, key }: WrappingPasskey,
): Promise<void> {
  if (!key) return;
  const passkey_key = wrapKey(key, sessionKey, boundTo.passkeyInSession(sessionId, id));
  await tx.db.updateTable('sessions').set({ passkey_key }).where('id', '=', sessionId).execute();
}

/** Lets a session's new token unlock what the former one did, and keep its passkey. Call before the token changes. */
export async function rewrapForToken(tx: TxCtx, token: string): Promise<void> {
  const { actor, sessionKey } = tx;
  if (actor.kind !== 'person' || !sessionKey) return;
  const former = { personId: actor.id, sessionId: actor.sessionId, sessionKey };
  const renewed = { ...former, sessionKey: sessionKeyOf(token) };
  const key = await sessionAuthorKey(tx);
  if (key) return openInSession(tx, renewed, key);
  const passkey = await passkeyOfSession(tx, former);
  if (passkey) await keepPasskey(tx, renewed, passkey);
}

/** `password` is the current one. */
async function setPasswordWrap(
  tx: TxCtx,
  personId: string,
  key: KeyObject,
  password: KnownPassword,
): Promise<void> {
  await tx.db
    .updateTable('author_keys')
    .set({ by_password: await wrapByCurrent(tx, personId, key, password), password_replaced: false })
    .where('person_id', '=', personId)
    .execute();
}

/** Renews the stored hash first if it is of an earlier release, so one derivation serves both. */
async function wrapByCurrent(
  tx: TxCtx,
  personId: string,
  authorKey: KeyObject,
  current: KnownPassword,
): Promise<string> {
  let { hash, key } = current;
  if (!key) {
    ({ hash, key } = await hashPassword(current.password));
    await tx.db
      .updateTable('credentials')
      .set({ password: hash })
      .where('user_id', '=', personId)
      .where('password', '=', current.hash)
      .execute();
  }
  return wrapByPassword(authorKey, { hash, key }, boundTo.password(personId));
}

interface OpenSession {
  personId: string;
  sessionId: string;
  sessionKey: KeyObject;
}

/** Throws unauthenticated `sign_in_required` if the session ended. */
async function openInSession(
  tx: TxCtx,
  { personId, sessionId, sessionKey }: OpenSession,
  key: KeyObject,
): Promise<void> {
  await tx.db
    .updateTable('sessions')
    .set({ author_key: wrapKey(key, sessionKey, boundTo.session(sessionId, personId)), passkey_key: null })
    .where('id', '=', sessionId)
    .where('user_id', '=', personId)
    .returning('id')
    .executeTakeFirstOrThrow(() => new AppError('unauthenticated', 'sign_in_required'));
  await Promise.all(tx.authored.map((table) => sealOlder(tx, table, personId, key)));
}

/** Also encrypts text of earlier releases. */
async function sealOlder(tx: TxCtx, table: AuthoredTable, author: string, key: KeyObject): Promise<void> {
  const columns = table.columns.map((name) => sql.ref(name));
  const { rows } = await sql<{ id: string; texts: (string | null)[] }>`
    select id, array[${sql.join(columns)}] as texts from ${sql.table(table.table)}
     where ${sql.ref(table.author)} = ${author} and not by_author for update`.execute(tx.db);
  for (const { id, texts } of rows) {
    const sealed = reseal(tx, table, { id, author }, key, texts);
    if (!sealed) continue;
    const changes = table.columns.map((name, index) => sql`${sql.ref(name)} = ${sealed[index]}`);
    await sql`
      update ${sql.table(table.table)} set by_author = true, ${sql.join(changes)} where id = ${id}`.execute(
      tx.db,
    );
  }
}

/** Returns null for a row that the server's keys don't open: it mustn't keep its author from signing in. */
function reseal(
  tx: TxCtx,
  table: AuthoredTable,
  row: AuthoredRow,
  key: KeyObject,
  texts: readonly (string | null)[],
): (string | null)[] | null {
  try {
    return table.columns.map((name, index) => {
      const text = texts[index] ?? null;
      return text === null ? null : table.seal(tx, key, row, name, table.open(tx, null, row, name, text));
    });
  } catch {
    return null;
  }
}

async function record(tx: TxCtx, action: Action, personId: string): Promise<void> {
  await recordDone(tx, { action, subject: { kind: 'person', id: personId } });
}

async function refused(ctx: Ctx, personId: string, reason: string): Promise<void> {
  await recordRefused(ctx, {
    action: 'words_unlocked',
    subject: { kind: 'person', id: personId },
    details: { reason },
  });
}
