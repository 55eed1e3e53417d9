import { makeLinkToken } from '#/features/accounts/commands.ts';
import { mailedLink } from '#/features/accounts/rules.ts';
import { applicationNotice } from '#/features/providers/applications/queries.ts';
import { getSpecialist } from '#/features/providers/queries.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { findPerson } from '../queries.ts';

/** Password link lifetime, in hours. */
const welcomeHours = 7 * 24;

export const applicationNotifications = [
  notification({
    event: 'providers.application_decided',
    name: 'notifications.application',
    async deliveries(tx, { applicationId }, { eventId, site }) {
      const decision = await applicationNotice(tx, applicationId);
      const person = decision && (await findPerson(tx, decision.personId));
      if (!person) return [];
      const isListed = (await getSpecialist(tx, person.id)) !== null;
      const letter = applicationLetter(decision.status, { name: person.fullName, isListed }, site);
      return [{ key: `${eventId}:${person.id}`, kind: 'application_decision', to: person, letter }];
    },
  }),
  notification({
    event: 'providers.approval_changed',
    name: 'notifications.approval',
    async deliveries(tx, { providerId, change }, { eventId, site }) {
      const person = await findPerson(tx, providerId);
      if (!person) return [];
      const isListed = (await getSpecialist(tx, providerId)) !== null;
      const letter = approvalLetter(change, { name: person.fullName, isListed }, site);
      return [{ key: `${eventId}:${providerId}`, kind: 'application_decision', to: person, letter }];
    },
  }),
  notification({
    event: 'providers.added',
    name: 'notifications.added',
    sentWhenOff: 'new specialists need its link to sign in',
    async deliveries(tx, { providerId, invited }, { eventId, site }) {
      const person = await findPerson(tx, providerId);
      if (!person) return [];
      const token = invited ? await makeLinkToken(tx, 'reset-password', providerId, welcomeHours) : null;
      return [
        {
          key: `${eventId}:${providerId}`,
          kind: 'specialist_welcome',
          to: person,
          letter: welcomeLetter(token, person.fullName, site),
          urgent: true,
          expiresAt: invited ? tx.now().add({ hours: welcomeHours }) : undefined,
        },
      ];
    },
  }),
];

interface Approved {
  name: string;
  isListed: boolean;
}

/** Leaves out the rejection reason. */
function applicationLetter(
  status: 'approved' | 'rejected',
  { name, isListed }: Approved,
  site: MailSite,
): Letter {
  const inThis = { locale: site.locale };
  const approved = status === 'approved';
  const shown = isListed ? m.mail_application_approved : m.mail_approval_hidden;
  return {
    subject: m.mail_application_subject({}, inThis),
    name,
    text: [(approved ? shown : m.mail_application_rejected)({}, inThis)],
    action: {
      label: (approved ? m.mail_added_action : m.mail_application_action)({}, inThis),
      url: `${site.appUrl}/${approved ? 'practice' : 'join'}`,
    },
  };
}

/** Leaves out the reason, shown on the site. */
function approvalLetter(
  change: 'revoked' | 'restored',
  { name, isListed }: Approved,
  site: MailSite,
): Letter {
  const inThis = { locale: site.locale };
  const restored = isListed ? m.mail_approval_restored : m.mail_approval_hidden;
  const text = change === 'revoked' ? m.mail_approval_revoked : restored;
  return {
    subject: m.mail_approval_subject({ site: site.siteName }, inThis),
    name,
    text: [text({}, inThis)],
    action: { label: m.mail_added_action({}, inThis), url: `${site.appUrl}/practice` },
  };
}

/** Welcomes a provider an administrator added. New accounts get a link to choose their password. */
function welcomeLetter(token: string | null, name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const invited = token !== null;
  return {
    subject: m.mail_added_subject({}, inThis),
    name,
    text: [m.mail_added_text({}, inThis), (invited ? m.mail_added_invited : m.mail_added_known)({}, inThis)],
    action: {
      label: (invited ? m.mail_added_password : m.mail_added_action)({}, inThis),
      url: invited
        ? mailedLink(site.appUrl, 'reset-password', token, '/practice')
        : `${site.appUrl}/practice`,
    },
    ...(invited ? { note: m.mail_added_note({}, inThis) } : {}),
  };
}
