import type { KeyObject } from 'node:crypto';
import { unwrapKey } from '#/platform/author-key.ts';
import type { Ctx } from '#/platform/context.ts';
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

export function authorKeyRow({ db }: Ctx, personId: string) {
  return db.selectFrom('author_keys').selectAll().where('person_id', '=', personId);
}

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
  const row = await authorKeyRow(ctx, personId).executeTakeFirst();
  const open = row !== undefined && (await sessionAuthorKey(ctx)) !== null;
  const passkeys = await passkeysOf(ctx, personId);
  return {
    state: !row ? 'unkeyed' : open ? 'open' : 'locked',
    passwordReplaced: row?.password_replaced ?? false,
    byPasskey: passkeys.some(({ author_key }) => author_key !== null),
    recoveryKeyAt: row?.recovery_key_at?.toISOString() ?? null,
  };
}
