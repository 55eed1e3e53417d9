import { personsOf } from '#/features/accounts/queries.ts';
import type { ResourceDecision } from '#/features/resources/moderation/commands.ts';
import { authorOf } from '#/features/resources/authoring/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { sendMail } from '#/platform/mail/mail.ts';
import { setLetter } from '../letter/rules.ts';
import { mailSite } from '../queries.ts';
import { resourceLetter } from './rules.ts';

/** Emails the author, unless their account is gone. */
export async function mailResourceDecision(
  ctx: Ctx,
  { resourceId, decision }: { resourceId: string; decision: ResourceDecision },
  { eventId, appUrl }: { eventId: string; appUrl: string },
): Promise<void> {
  const site = await mailSite(ctx, appUrl);
  const authorId = await authorOf(ctx, resourceId);
  const author = authorId && (await personsOf(ctx, [authorId])).get(authorId);
  if (!author) return;
  const letter = resourceLetter(decision, author.fullName, site);
  await sendMail(ctx, {
    key: `${eventId}:${author.id}`,
    kind: 'resource_decision',
    to: author.email,
    ...setLetter(letter, site),
  });
}
