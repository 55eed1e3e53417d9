import { isProvider } from '#/kernel/actor.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import { takeUnreadNotice } from '#/features/messaging/notice/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { messageLetter } from './rules.ts';

/** Emails the recipient of an unread message, once until they read something. */
export async function mailUnread(
  ctx: Ctx,
  messageId: string,
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  await transact(ctx, async (tx) => {
    const site = await mailSite(tx, appUrl);
    const notice = await takeUnreadNotice(tx, messageId);
    const person = notice && (await personsOf(tx, [notice.personId])).get(notice.personId);
    if (!person) return;
    // Providers' names often reveal their profession.
    const letter = messageLetter(isProvider(person.role) ? null : person.fullName, site);
    await sendMail(tx, {
      key: `${eventId}:${person.id}`,
      kind: 'message',
      to: person.email,
      ...setLetter(letter, site),
    });
  });
}
