import { personsOf } from '#/features/accounts/queries.ts';
import { credentialNotice } from '#/features/providers/credentials/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { credentialLetter } from './rules.ts';

/** Emails the provider the decision, unless the credential is gone. */
export async function mailCredentialDecision(
  ctx: Ctx,
  credentialId: string,
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const decision = await credentialNotice(ctx, credentialId);
  const person = decision && (await personsOf(ctx, [decision.providerId])).get(decision.providerId);
  if (!person) return;
  const letter = credentialLetter(decision.state, person.fullName, site);
  await sendMail(ctx, {
    key: `${eventId}:${decision.providerId}`,
    kind: 'credential_decision',
    to: person.email,
    ...setLetter(letter, site),
  });
}
