import { issueInvitation } from '#/features/attendees/invitations/commands.ts';
import type { GuestAnswer } from '#/features/attendees/contract.ts';
import { guestNotice } from '#/features/attendees/queries.ts';
import { appointmentNotice } from '#/features/appointments/notice/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { guestLetter, invitationLetter } from './rules.ts';

/** Triggering event; its ID deduplicates retries. */
interface Cause {
  eventId: string;
  appUrl: string;
}

/**
 * Emails a session invitation, issuing its link in the same transaction; the token is stored nowhere else. Ignores the
 * notification setting: guests can't be invited without it.
 */
export async function mailInvitation(
  ctx: Ctx,
  invited: { guestId: string; sends: number },
  appUrl: string,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const issued = await issueInvitation(tx, invited);
    if (!issued) return;
    const site = await mailSite(tx, appUrl);
    const session = await appointmentNotice(tx, issued.appointmentId);
    const letter = invitationLetter(
      {
        inviterName: session.client.name,
        timeZone: session.client.timeZone,
        sessionType: session.sessionType,
        startsAt: session.startsAt.epochMilliseconds,
        endsAt: session.endsAt.epochMilliseconds,
        token: issued.token,
      },
      site,
    );
    await sendMail(tx, {
      key: `invitation:${invited.guestId}:${invited.sends}`,
      kind: 'guest_invitation',
      to: issued.email,
      ...setLetter(letter, site),
      urgent: true,
      expiresAt: session.startsAt,
    });
  });
}

export async function mailGuestAnswer(
  ctx: Ctx,
  { guestId, answer }: { guestId: string; answer: GuestAnswer },
  cause: Cause,
): Promise<void> {
  const guest = await guestNotice(ctx, guestId);
  if (!guest) return;
  const { client } = await appointmentNotice(ctx, guest.appointmentId);
  await mail(ctx, answer, guest.appointmentId, client, cause);
}

export async function mailGuestWithdrawn(
  ctx: Ctx,
  { guestId }: { guestId: string },
  cause: Cause,
): Promise<void> {
  const guest = await guestNotice(ctx, guestId);
  if (guest?.person) await mail(ctx, 'withdrawn', guest.appointmentId, guest.person, cause);
}

async function mail(
  ctx: Ctx,
  news: GuestAnswer | 'withdrawn',
  appointmentId: string,
  to: { id: string; name: string; email: string; timeZone: string },
  { eventId, appUrl }: Cause,
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const { startsAt, endsAt } = await appointmentNotice(ctx, appointmentId);
  const times = { startsAt: startsAt.epochMilliseconds, endsAt: endsAt.epochMilliseconds };
  const letter = guestLetter(news, { ...times, name: to.name, timeZone: to.timeZone }, site);
  await sendMail(ctx, {
    key: `${eventId}:${to.id}`,
    kind: 'guest_answer',
    to: to.email,
    ...setLetter(letter, site),
  });
}
