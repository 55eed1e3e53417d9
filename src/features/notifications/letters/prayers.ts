import { answerNotice, askedNotice } from '#/features/growth/prayers/queries.ts';
import { digest } from '#/platform/tokens.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../rules.ts';
import { notification } from './notification.ts';
import { findPerson } from '../queries.ts';

export const prayerNotifications = [
  notification({
    event: 'growth.prayer_asked',
    name: 'notifications.prayer-asked',
    // At most daily per client and counselor. Pastors see shared requests on the site instead.
    async deliveries(tx, { requestId }, { site }) {
      const notice = await askedNotice(tx, requestId);
      const counselor = notice && (await findPerson(tx, notice.counsellorId));
      if (!counselor) return [];
      // Hashed: keys outlive sent emails.
      const asked = digest(`${notice.clientId}:${counselor.id}:${notice.askedAt.slice(0, 10)}`);
      // Counselors' names often reveal their profession.
      const letter = prayerLetter('asked', null, site);
      return [{ key: `prayer-asked:${asked}:${counselor.id}`, kind: 'prayer', to: counselor, letter }];
    },
  }),
  notification({
    event: 'growth.prayed',
    name: 'notifications.prayed',
    // Daily per request, unless it was withdrawn.
    async deliveries(tx, { answerId }, { site }) {
      const notice = await answerNotice(tx, answerId);
      const client = notice && (await findPerson(tx, notice.clientId));
      if (!client) return [];
      const day = tx.now().toString().slice(0, 10);
      const letter = prayerLetter('prayed', client.fullName, site);
      return [{ key: `prayed:${notice.requestId}:${day}`, kind: 'prayer', to: client, letter }];
    },
  }),
];

/** Contains neither request nor answer. */
function prayerLetter(topic: 'asked' | 'prayed', name: string | null, site: MailSite): Letter {
  const { locale } = site;
  const words =
    topic === 'asked'
      ? { text: m.mail_prayer_asked_text, path: '/prayers' }
      : { text: m.mail_prayed_text, path: '/growth?tab=prayer' };
  return {
    subject: m.mail_message_subject({}, { locale }),
    name,
    text: [words.text({}, { locale })],
    action: { label: m.mail_prayer_open({}, { locale }), url: `${site.appUrl}${words.path}` },
  };
}
