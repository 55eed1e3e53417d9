import { isProvider } from '#/kernel/actor.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { personsOf } from '#/features/accounts/queries.ts';
import { peopleOpened } from '#/features/messaging/emergency/queries.ts';
import { claimUnreadNotice } from '#/features/messaging/commands.ts';
import { m } from '#/texts/messages.js';
import type { Delivery } from '../channels/delivery.ts';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { findPerson } from '../queries.ts';

export const messageNotifications = [
  notification({
    event: 'messages.sent',
    name: 'notifications.message',
    // Once until the recipient reads something.
    async deliveries(tx, { messageId }, { eventId, site }) {
      const notice = await claimUnreadNotice(tx, messageId);
      const person = notice && (await findPerson(tx, notice.personId));
      if (!person) return [];
      const letter = messageLetter(greetingName(person), site);
      return [{ key: `${eventId}:${person.id}`, kind: 'message', to: person, letter }];
    },
  }),
  notification({
    event: 'messages.emergency_opened',
    name: 'notifications.emergency',
    sentWhenOff: 'people have a right to know that their conversation was opened',
    async deliveries(tx, { accessId }, { eventId, site }) {
      const people = await personsOf(tx, await peopleOpened(tx, accessId));
      return [...people.values()].map((person): Delivery => ({
        key: `${eventId}:${person.id}`,
        kind: 'emergency_access',
        to: person,
        letter: emergencyLetter(greetingName(person), site),
      }));
    },
  }),
];

/** Null for providers: names often reveal their profession. */
function greetingName({ role, fullName }: Viewer): string | null {
  return isProvider(role) ? null : fullName;
}

/** Contains neither text nor sender. */
function messageLetter(name: string | null, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.mail_message_subject({}, inThis),
    name,
    text: [m.mail_message_text({}, inThis)],
    action: { label: m.mail_message_open({}, inThis), url: `${site.appUrl}/messages` },
    note: m.mail_message_once({}, inThis),
  };
}

/** Doesn't name the counterpart. */
function emergencyLetter(name: string | null, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.mail_emergency_subject({}, inThis),
    name,
    text: [m.mail_emergency_text({}, inThis), m.mail_emergency_why({}, inThis)],
    action: { label: m.mail_emergency_open({}, inThis), url: `${site.appUrl}/messages` },
    note: m.mail_emergency_note({}, inThis),
  };
}
