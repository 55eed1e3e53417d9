import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import type { MailChoice, OptionalMail } from '../contract.ts';

export const mailColumns = { devotional: 'daily_devotionals', community: 'community_updates' } as const;

/** Contains the person's ID, not their address. Never expires, since emails are kept for years. */
export function unsubscribeToken(secret: string, kind: OptionalMail, personId: string): string {
  const proof = createHmac('sha256', secret).update(`unsubscribe:${kind}:${personId}`).digest('base64url');
  return `${kind}.${personId}.${proof}`;
}

function readToken(secret: string, token: string): { kind: OptionalMail; personId: string } | null {
  const [kind = '', personId = ''] = token.split('.');
  if (kind !== 'devotional' && kind !== 'community') return null;
  const right = Buffer.from(unsubscribeToken(secret, kind, personId));
  const given = Buffer.from(token);
  return right.length === given.length && timingSafeEqual(right, given) ? { kind, personId } : null;
}

/**
 * Returns whose choice a mailed token is for, and how it stands. Throws `not_found` (`mail_choice`) for an invalid one
 * and for a deleted account.
 */
export async function requireMailChoice(
  ctx: Ctx,
  secret: string,
  token: string,
): Promise<MailChoice & { personId: string }> {
  const named = readToken(secret, token);
  const row =
    named &&
    (await ctx.db
      .selectFrom('profiles')
      .select(`${mailColumns[named.kind]} as on`)
      .where('id', '=', named.personId)
      .where('erased_at', 'is', null)
      .executeTakeFirst());
  if (!row) throw new AppError('not_found', 'mail_choice');
  return { ...named, on: row.on };
}
