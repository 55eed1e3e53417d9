import { personsOf } from '#/features/accounts/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { licenceLetter } from './rules.ts';

export async function mailLicenceEnd(
  ctx: Ctx,
  { providerId, ...end }: { providerId: string; until: string; ended: boolean },
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const person = (await personsOf(ctx, [providerId])).get(providerId);
  if (!person) return;
  await sendMail(ctx, {
    key: `${eventId}:${providerId}`,
    kind: 'license_end',
    to: person.email,
    ...setLetter(licenceLetter(end, person.fullName, site), site),
  });
}
