import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Contains neither request nor answer. */
export function prayerLetter(news: 'asked' | 'prayed', name: string | null, site: MailSite): Letter {
  const { locale } = site;
  const words =
    news === 'asked'
      ? { subject: m.mail_prayer_asked_subject, text: m.mail_prayer_asked_text, path: '/prayers' }
      : { subject: m.mail_prayed_subject, text: m.mail_prayed_text, path: '/growth?tab=prayer' };
  return {
    subject: words.subject({}, { locale }),
    name,
    text: [words.text({}, { locale })],
    action: { label: m.mail_prayer_open({}, { locale }), url: `${site.appUrl}${words.path}` },
  };
}
