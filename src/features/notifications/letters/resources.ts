import { authorOf } from '#/features/resources/authoring/queries.ts';
import type { ResourceDecision } from '#/features/resources/moderation/commands.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { findPerson } from '../queries.ts';

export const resourceNotifications = [
  notification({
    event: 'resources.decided',
    name: 'notifications.resource',
    async deliveries(tx, { resourceId, decision }, { eventId, site }) {
      const authorId = await authorOf(tx, resourceId);
      const author = authorId && (await findPerson(tx, authorId));
      if (!author) return [];
      const letter = resourceLetter(decision, author.fullName, site);
      return [{ key: `${eventId}:${author.id}`, kind: 'resource_decision', to: author, letter }];
    },
  }),
];

const texts = {
  published: m.mail_resource_published,
  rejected: m.mail_resource_rejected,
  unpublished: m.mail_resource_unpublished,
} satisfies Record<ResourceDecision, unknown>;

/** Without the title: others may read the mailbox. */
function resourceLetter(decision: ResourceDecision, name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.mail_resource_subject({}, inThis),
    name,
    text: [texts[decision]({}, inThis)],
    action: { label: m.mail_resource_action({}, inThis), url: `${site.appUrl}/author` },
  };
}
