import type { KeyObject } from 'node:crypto';
import { unwrapKey } from '#/platform/author-key.ts';
import type { Ctx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { passkeysOf } from '../webauthn/queries.ts';
import type { WordsState } from './contract.ts';

/** Rows that wrapped keys are bound to. */
export const boundTo = {
  password: (personId: string) => `author_keys.by_password:${personId}`,
  recoveryKey: (personId: string) => `author_keys.by_recovery_key:${personId}`,
  passkey: (passkeyId: string, personId: string) => `passkeys.author_key:${passkeyId}:${personId}`,
  session: (sessionId: string, personId: string) => `sessions.author_key:${sessionId}:${personId}`,
  passkeyInSession: (sessionId: string, passkeyId: string) =>
    `sessions.passkey_key:${sessionId}:${passkeyId}`,
};

export async function authorKeyRow({ db }: Ctx, personId: string) {
  const [row] = await keyRow(db, { personId });
  return row;
}

const keyRow = compiledOnce((db, { personId }: { personId: string }) =>
  db
    .selectFrom('author_keys')
    .where('person_id', '=', personId)
    .select(['person_id', 'by_password', 'password_replaced', 'by_recovery_key', 'recovery_key_at']),
);

/**
 * Returns the acting person's author key if their session is unlocked. In a transaction, locks the session, so nothing
 * is written after it ended.
 */
export async function sessionAuthorKey(ctx: Ctx): Promise<KeyObject | null> {
  const { actor, db, sessionKey } = ctx;
  if (actor.kind !== 'person' || !sessionKey) return null;
  const session = await db
    .selectFrom('sessions')
    .select('author_key')
    .where('id', '=', actor.sessionId)
    .where('user_id', '=', actor.id)
    .$if(db.isTransaction, (rows) => rows.forShare())
    .executeTakeFirst();
  if (!session?.author_key) return null;
  return unwrapKey(session.author_key, sessionKey, boundTo.session(actor.sessionId, actor.id));
}

export async function wordsState(ctx: Ctx, personId: string): Promise<WordsState> {
  const row = await authorKeyRow(ctx, personId);
  const open = row !== undefined && (await sessionAuthorKey(ctx)) !== null;
  const passkeys = await passkeysOf(ctx, personId);
  return {
    state: !row ? 'unkeyed' : open ? 'open' : 'locked',
    passwordReplaced: row?.password_replaced ?? false,
    byPasskey: passkeys.some(({ author_key }) => author_key !== null),
    recoveryKeyAt: row?.recovery_key_at?.toISOString() ?? null,
  };
}
