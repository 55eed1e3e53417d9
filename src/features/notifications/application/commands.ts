import { makeLinkToken } from '#/features/accounts/commands.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import { applicationNotice } from '#/features/providers/applications/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { addedLetter, applicationLetter } from './rules.ts';

/** For how long a welcome's link sets a password, in hours. */
const welcomeHours = 7 * 24;

/** Mails an applicant what was decided about their application; nobody, where it is gone meanwhile. */
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

/** Welcomes a specialist whom an administrator has listed, whatever the site's settings say: nobody could come in without. */
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
