import { makeLinkToken } from '#/features/accounts/commands.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import { applicationNotice } from '#/features/providers/applications/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { addedLetter, applicationLetter } from './rules.ts';

/** Password link lifetime, in hours. */
const welcomeHours = 7 * 24;

/** Emails an applicant the decision on their application, unless it's gone. */
export async function mailApplicationDecision(
  ctx: Ctx,
  applicationId: string,
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const decision = await applicationNotice(ctx, applicationId);
  const person = decision && (await personsOf(ctx, [decision.personId])).get(decision.personId);
  if (!person) return;
  const letter = applicationLetter(decision.status, person.fullName, site);
  await sendMail(ctx, {
    key: `${eventId}:${person.id}`,
    kind: 'application_decision',
    to: person.email,
    ...setLetter(letter, site),
  });
}

/**
 * Sends a welcome email to a provider listed by an administrator. Ignores notification settings: new accounts need its
 * link to sign in.
 */
export async function mailAdded(
  ctx: Ctx,
  { providerId, invited }: { providerId: string; invited: boolean },
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const person = (await personsOf(tx, [providerId])).get(providerId);
    if (!person) return;
    const token = invited ? await makeLinkToken(tx, 'reset-password', providerId, welcomeHours) : null;
    const site = await mailSite(tx, appUrl);
    const letter = addedLetter(token, person.fullName, site);
    await sendMail(tx, {
      key: `${eventId}:${providerId}`,
      kind: 'specialist_welcome',
      to: person.email,
      ...setLetter(letter, site),
      urgent: true,
      expiresAt: invited ? tx.now().add({ hours: welcomeHours }) : undefined,
    });
  });
}
