import { openWordsAtSignIn } from '#/features/accounts/author-keys/commands.ts';
import { sessionKeyOf } from '#/platform/author-key.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { hashPassword } from '#/platform/password-hash.ts';
import { digest } from '#/platform/tokens.ts';
import { password } from './identity.ts';

/** The person's context with a session unlocked, as if signed in with their password. */
export async function unlocked(ctx: Ctx): Promise<Ctx> {
  const { actor } = ctx;
  if (actor.kind !== 'person') throw new Error('only people have words');
  const { id: personId, sessionId } = actor;
  const token = `cookie of ${sessionId}`;
  await transact(ctx, async (tx) => {
    await tx.db
      .insertInto('sessions')
      .values({
        id: sessionId,
        user_id: personId,
        token: digest(token),
        expires_at: new Date('2100-01-01'),
        ip_address: null,
        user_agent: null,
      })
      .onConflict((on) => on.column('id').doNothing())
      .execute();
    await openWordsAtSignIn(tx, { personId, sessionId, token, password: await hashPassword(password) });
  });
  return { ...ctx, sessionKey: sessionKeyOf(token) };
}
