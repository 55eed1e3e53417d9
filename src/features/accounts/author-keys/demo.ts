import { randomBytes, type KeyObject } from 'node:crypto';
import { sessionKeyOf } from '#/platform/author-key.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { knownDemoPassword } from '../demo.ts';
import { openWordsAtSignIn } from './commands.ts';

/** Lets a demo person write through an expired session. */
export async function visitAsAuthor(
  ctx: Ctx,
  personId: string,
): Promise<{ sessionId: string; sessionKey: KeyObject }> {
  return transact(ctx, async (tx) => {
    const [sessionId, token] = [tx.newId(), randomBytes(24).toString('base64url')];
    const over = new Date(0);
    await tx.db
      .insertInto('sessions')
      .values({
        id: sessionId,
        user_id: personId,
        token: digest(token),
        expires_at: over,
        ip_address: null,
        user_agent: null,
        device_id: null,
        created_at: over,
        updated_at: over,
      })
      .execute();
    await openWordsAtSignIn(tx, { personId, sessionId, token, password: await knownDemoPassword() });
    return { sessionId, sessionKey: sessionKeyOf(token) };
  });
}
