import { randomBytes } from 'node:crypto';
import { recordDone } from '#/features/audit/commands.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import type { KnownPassword } from '#/platform/password-hash.ts';
import { digest } from '#/platform/tokens.ts';
import { rewrapForToken } from '../author-keys/commands.ts';
import { confirmedFactor, freshMinutes, signedIn } from '../commands.ts';
import { requirePassword, requireSamePassword } from '../password/commands.ts';
import { confirmByPasskey } from '../passkeys/commands.ts';
import { programSession } from '../program-sessions/queries.ts';
import { isProven } from '../program-sessions/rules.ts';
import { personOf } from '../queries.ts';
import { opensByLink } from '../rules.ts';
import { requireCode } from '../second-factor/commands.ts';
import type { ReauthenticateInput } from '../contract.ts';

/**
 * Marks the session as reauthenticated and replaces its token, so a copy of the former one is worth nothing. Leaves a
 * token that another confirmation has just sent the browser. Throws invalid `required` for the field `password` if all
 * are missing, unauthenticated `sign_in_required` if the session ended, plus `requirePassword`, `requireSamePassword`,
 * `requireCode` and `confirmByPasskey` errors.
 */
export async function reauthenticate(
  ctx: Ctx,
  appUrl: string,
  given: ReauthenticateInput,
): Promise<{ freshUntil: string }> {
  const { id, sessionId } = signedIn(ctx);
  const { fully, known } = await confirm(ctx, appUrl, given);
  const now = ctx.now();
  const at = new Date(now.epochMilliseconds);
  const token = randomBytes(24).toString('base64url');
  const replaces = await transact(ctx, async (tx) => {
    if (known) await requireSamePassword(tx, known);
    const session = await tx.db
      .selectFrom('sessions')
      .select('token')
      .where('id', '=', sessionId)
      .forUpdate()
      .executeTakeFirstOrThrow(() => new AppError('unauthenticated', 'sign_in_required'));
    const isCurrent = session.token === ctx.sessionToken?.digest;
    if (isCurrent) await rewrapForToken(tx, token);
    await tx.db
      .updateTable('sessions')
      .set({
        reauthenticated_at: at,
        ...(fully && { fully_reauthenticated_at: at }),
        ...(isCurrent && { token: digest(token) }),
      })
      .where('id', '=', sessionId)
      .execute();
    await recordDone(tx, { action: 'reauthenticated', subject: { kind: 'person', id } });
    return isCurrent;
  });
  if (replaces) ctx.sessionToken?.send(token);
  return { freshUntil: now.add({ minutes: freshMinutes }).toString() };
}

/** Verifies, and returns whether every factor was given, and the right password. */
async function confirm(
  ctx: Ctx,
  appUrl: string,
  { password, code, passkey }: ReauthenticateInput,
): Promise<{ fully: boolean; known?: KnownPassword }> {
  if (passkey !== undefined) {
    await confirmByPasskey(ctx, appUrl, passkey);
    return { fully: true };
  }
  if (password !== undefined) {
    const known = await requirePassword(ctx, password);
    return { fully: await confirmFactor(ctx, code), known };
  }
  if (code === undefined) throw invalidField('password', 'required');
  await requireCode(ctx, code);
  const person = await personOf(ctx, signedIn(ctx).id);
  // Without password and link, only a code remains.
  return { fully: !person.hasPassword && !opensByLink(person) };
}

/**
 * Returns whether the second factor is confirmed: by this code, by a program just before, or because none is set up.
 * Throws like `requireCode`.
 */
export async function confirmFactor(ctx: Ctx, code?: string): Promise<boolean> {
  if (code !== undefined) {
    await requireCode(ctx, code);
    return true;
  }
  if (!(await confirmedFactor(ctx))) return true;
  const { sessionId, issuedAt } = signedIn(ctx);
  if (issuedAt === undefined) return false;
  const session = await programSession(ctx, sessionId);
  return isProven(session?.factor_at ?? null, issuedAt, ctx.now());
}
