import { formatDate } from '#/kernel/date-text.ts';
import { credentialNotice } from '#/features/providers/credentials/queries.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import type { Delivery } from '../channels/delivery.ts';
import { notification, type Cause } from './notification.ts';
import { findPerson } from '../queries.ts';
import type { TxCtx } from '#/platform/context.ts';

export const credentialNotifications = [
  notification({
    event: 'providers.credential_decided',
    name: 'notifications.credential',
    async deliveries(tx, { credentialId }, { eventId, site }) {
      const decision = await credentialNotice(tx, credentialId);
      const person = decision && (await findPerson(tx, decision.providerId));
      if (!person) return [];
      const letter = credentialLetter(decision.state, person.fullName, site);
      return [{ key: `${eventId}:${person.id}`, kind: 'credential_decision', to: person, letter }];
    },
  }),
  notification({
    event: 'providers.licence_ending',
    name: 'notifications.licence-ending',
    deliveries: (tx, end, cause) => licenseDeliveries(tx, { ...end, ended: false }, cause),
  }),
  notification({
    event: 'providers.licence_ended',
    name: 'notifications.licence-ended',
    deliveries: (tx, end, cause) => licenseDeliveries(tx, { ...end, ended: true }, cause),
  }),
];

async function licenseDeliveries(
  tx: TxCtx,
  { providerId, ...end }: { providerId: string; until: string; ended: boolean },
  { eventId, site }: Cause,
): Promise<Delivery[]> {
  const person = await findPerson(tx, providerId);
  if (!person) return [];
  const letter = licenseLetter(end, person.fullName, site);
  return [{ key: `${eventId}:${providerId}`, kind: 'license_end', to: person, letter }];
}

/** Names neither the credential nor the reason. */
function credentialLetter(state: 'approved' | 'rejected', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const text = state === 'approved' ? m.mail_credential_approved : m.mail_credential_rejected;
  return {
    subject: m.mail_credential_subject({}, inThis),
    name,
    text: [text({}, inThis)],
    action: { label: m.mail_added_action({}, inThis), url: `${site.appUrl}/practice` },
  };
}

function licenseLetter(
  { ended, until }: { ended: boolean; until: string },
  name: string,
  site: MailSite,
): Letter {
  const inThis = { locale: site.locale };
  const date = formatDate(until, { dateStyle: 'long' }, site.locale);
  return {
    subject: m.mail_license_subject({}, inThis),
    name,
    text: [(ended ? m.mail_license_ended : m.mail_license_ending)({ date }, inThis)],
    action: {
      label: m.practice_license_link({}, inThis),
      url: `${site.appUrl}/practice?tab=credentials`,
    },
  };
}
