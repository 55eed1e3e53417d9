import { exportTerms } from '#/features/accounts/export/rules.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import { isKnownZone } from '#/kernel/zone-clock.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { privacyLetter, type PrivacyMatter } from './rules.ts';

interface PrivacyMail {
  userId: string;
  eventId: string;
  appUrl: string;
}

export async function mailExportReady(ctx: Ctx, mail: PrivacyMail): Promise<void> {
  await mailPerson(ctx, mail, () => ({ kind: 'export_ready' }));
}

/** Emails an account's erasure date and ways to keep it, unless deletion was canceled. */
export async function mailDeletion(ctx: Ctx, mail: PrivacyMail): Promise<void> {
  await mailPerson(ctx, mail, ({ deleteAfter, timeZone }) =>
    deleteAfter === null
      ? null
      : {
          kind: 'deletion',
          deleteAfter: Date.parse(deleteAfter),
          timeZone: timeZone && isKnownZone(timeZone) ? timeZone : 'UTC',
        },
  );
}

/** Account emails ignore the notification setting. */
async function mailPerson(
  ctx: Ctx,
  { userId, eventId, appUrl }: PrivacyMail,
  matterOf: (person: { deleteAfter: string | null; timeZone: string | null }) => PrivacyMatter | null,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const person = (await personsOf(tx, [userId])).get(userId);
    const matter = person && matterOf(person);
    if (!matter) return;
    const site = await mailSite(tx, appUrl);
    const letter = privacyLetter(matter, person.fullName, site);
    await sendMail(tx, {
      key: `${eventId}:${userId}`,
      kind: matter.kind === 'deletion' ? 'account_deletion' : 'export_ready',
      to: person.email,
      ...setLetter(letter, site),
      expiresAt:
        matter.kind === 'deletion'
          ? Temporal.Instant.fromEpochMilliseconds(matter.deleteAfter)
          : tx.now().add({ hours: exportTerms.hours }),
    });
  });
}
