import { issueRequest } from '#/features/guest-booking/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { requestLetter } from './rules.ts';

/**
 * Emails the link for booking without an account, issuing it in the same transaction; the token is stored nowhere else.
 * Ignores the notification setting: guests can't book without it.
 */
export async function mailRequest(ctx: Ctx, requestId: string, appUrl: string): Promise<void> {
  await transact(ctx, async (tx) => {
    const issued = await issueRequest(tx, requestId);
    if (!issued) return;
    const { asked, email, expiresAt, token } = issued;
    const start = Temporal.Instant.from(asked.startsAt);
    const site = await mailSite(tx, appUrl);
    const letter = requestLetter(
      {
        name: asked.contact.name,
        timeZone: asked.timeZone,
        sessionType: asked.sessionType,
        startsAt: start.epochMilliseconds,
        endsAt: start.add({ minutes: asked.durationMinutes }).epochMilliseconds,
        expiresAt,
        token,
      },
      site,
    );
    await sendMail(tx, {
      key: `booking-request:${requestId}`,
      kind: 'booking_link',
      to: email,
      ...setLetter(letter, site),
      urgent: true,
      expiresAt: Temporal.Instant.fromEpochMilliseconds(expiresAt),
    });
  });
}
