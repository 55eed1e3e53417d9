import { isProvider } from '#/kernel/actor.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import { peopleOpened } from '#/features/messaging/emergency/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { emergencyLetter } from './rules.ts';

/** Notifies both members, even if notifications are off. */
export async function mailEmergency(
  ctx: Ctx,
  accessId: string,
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const site = await mailSite(tx, appUrl);
    const people = await personsOf(tx, await peopleOpened(tx, accessId));
    for (const { id, email, fullName, role } of people.values()) {
      // Providers' names often reveal their profession.
      const letter = emergencyLetter(isProvider(role) ? null : fullName, site);
      await sendMail(tx, {
        key: `${eventId}:${id}`,
        kind: 'emergency_access',
        to: email,
        ...setLetter(letter, site),
      });
    }
  });
}
