import { personOf } from '#/features/accounts/queries.ts';
import { appointmentNotice } from '#/features/appointments/notice/queries.ts';
import { issueClaim } from '#/features/care/claims/commands.ts';
import { claimHours, claimPath } from '#/features/care/claims/rules.ts';
import { nextSessionOf } from '#/features/care/records/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { callerLetter } from './rules.ts';

/**
 * Emails the invitation for a client record added by a provider, issuing its link in the same transaction. Ignores the
 * notification setting: clients need the link to claim their sessions.
 */
export async function mailCaller(
  ctx: Ctx,
  { clientId, sends }: { clientId: string; sends: number },
  appUrl: string,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const issued = await issueClaim(tx, clientId);
    if (!issued) return;
    const site = await mailSite(tx, appUrl);
    const { fullName: name } = await personOf(tx, clientId);
    const appointmentId = await nextSessionOf(tx, clientId);
    const notice = appointmentId === null ? null : await appointmentNotice(tx, appointmentId);
    const session = notice && {
      sessionType: notice.sessionType,
      startsAt: notice.startsAt.epochMilliseconds,
      endsAt: notice.endsAt.epochMilliseconds,
      timeZone: notice.client.timeZone,
    };
    const url = `${appUrl}${claimPath(issued.token)}`;
    await sendMail(tx, {
      key: `caller:${clientId}:${sends}`,
      kind: 'client_invitation',
      to: issued.email,
      ...setLetter(callerLetter({ name, session, url }, site), site),
      urgent: true,
      expiresAt: tx.now().add({ hours: claimHours }),
    });
  });
}
