import { makeLinkToken } from '#/features/accounts/commands.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { identityLetter, lastWord, type AccountChange, type IdentityMatter } from './rules.ts';

/** Whose mail, where they go on after its link, and the event that it answers. */
interface IdentityMail {
  userId: string;
  next: string;
  eventId: string;
  appUrl: string;
}

/** Mails the link that shows that an address is its owner's; nothing once that is known. */
export async function mailVerification(ctx: Ctx, mail: IdentityMail): Promise<void> {
  await mailPerson(ctx, mail, 'verify');
}

/** Mails the link that sets a new password. */
export async function mailPasswordReset(ctx: Ctx, mail: IdentityMail): Promise<void> {
  await mailPerson(ctx, mail, 'reset');
}

/** Tells the owner of an address that somebody signed up with it again. */
export async function mailAccountExists(ctx: Ctx, mail: IdentityMail): Promise<void> {
  await mailPerson(ctx, mail, 'exists');
}

/** Tells the address that an account has that an administrator gives it another one. */
export async function mailFormerAddress(ctx: Ctx, userId: string, appUrl: string): Promise<void> {
  await mailPerson(ctx, { userId, next: '/home', eventId: ctx.newId(), appUrl }, 'former_address');
}

/** Tells somebody, at the address that their account has now, what an administrator has done with it. */
export async function mailAccountChange(
  tx: TxCtx,
  userId: string,
  change: AccountChange,
  appUrl: string,
): Promise<void> {
  const eventId = change === 'deleted' ? `${lastWord}${tx.newId()}` : tx.newId();
  await mailPerson(tx, { userId, next: '/home', eventId, appUrl }, change);
}

/** These mails go whatever the site's settings say of notifications: nobody could come in without them. */
async function mailPerson(
  ctx: Ctx,
  { userId, next, eventId, appUrl }: IdentityMail,
  kind: IdentityMatter['kind'],
): Promise<void> {
  await transact(ctx, async (tx) => {
    const person = (await personsOf(tx, [userId])).get(userId);
    if (!person || (kind === 'verify' && person.emailVerified)) return;
    const matter =
      kind === 'verify' || kind === 'reset'
        ? {
            kind,
            next,
            token: await makeLinkToken(tx, kind === 'verify' ? 'verify' : 'reset-password', userId),
          }
        : { kind, next };
    const site = await mailSite(tx, appUrl);
    const letter = identityLetter(matter, person.fullName, site);
    await sendMail(tx, { key: `${eventId}:${userId}`, to: person.email, ...setLetter(letter, site) });
  });
}
