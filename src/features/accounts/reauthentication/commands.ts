import { randomBytes } from 'node:crypto';
import { recordDone } from '#/features/audit/commands.ts';
import { invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { digest } from '#/platform/tokens.ts';
import { rewrapForToken } from '../author-keys/commands.ts';
import { freshMinutes, signedIn } from '../commands.ts';
import { requirePassword } from '../password/commands.ts';
import { confirmByPasskey } from '../passkeys/commands.ts';
import { requireCode } from '../second-factor/commands.ts';
import type { ReauthenticateInput } from './contract.ts';

/**
 * Marks the session as reauthenticated and replaces its token, so a copy of the former one is worth nothing. Throws
 * invalid `required` for the field `password` if all are missing, plus `requirePassword`, `requireCode` and
 * `confirmByPasskey` errors.
 */
export async function reauthenticate(
  ctx: Ctx,
  appUrl: string,
  { password, code, passkey }: ReauthenticateInput,
): Promise<{ freshUntil: string }> {
  const { id, sessionId } = signedIn(ctx);
  if (passkey !== undefined) await confirmByPasskey(ctx, appUrl, passkey);
  else if (code !== undefined) await requireCode(ctx, code);
  else if (password !== undefined) await requirePassword(ctx, password);
  else throw invalidField('password', 'required');
  const now = ctx.now();
  const token = randomBytes(24).toString('base64url');
  await transact(ctx, async (tx) => {
    if (ctx.sendSessionToken) await rewrapForToken(tx, token);
    await tx.db
      .updateTable('sessions')
      .set({
        reauthenticated_at: new Date(now.epochMilliseconds),
        ...(ctx.sendSessionToken && { token: digest(token) }),
      })
      .where('id', '=', sessionId)
      .execute();
    await recordDone(tx, { action: 'reauthenticated', subject: { kind: 'person', id } });
  });
  ctx.sendSessionToken?.(token);
  return { freshUntil: now.add({ minutes: freshMinutes }).toString() };
}
