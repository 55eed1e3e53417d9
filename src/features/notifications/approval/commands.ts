import { personsOf } from '#/features/accounts/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { approvalLetter } from './rules.ts';

export async function mailApproval(
  ctx: Ctx,
  { providerId, change }: { providerId: string; change: 'revoked' | 'restored' },
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const person = (await personsOf(ctx, [providerId])).get(providerId);
  if (!person) return;
  await sendMail(ctx, {
    key: `${eventId}:${providerId}`,
    kind: 'application_decision',
    to: person.email,
    ...setLetter(approvalLetter(change, person.fullName, site), site),
  });
}
