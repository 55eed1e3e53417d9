import { mailedLink } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import type { Letter, MailSite } from '../letter/rules.ts';

/** Leaves out the rejection reason. */
export function applicationLetter(status: 'approved' | 'rejected', name: string, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  const approved = status === 'approved';
  return {
    subject: m.mail_application_subject({}, inThis),
    name,
    text: [(approved ? m.mail_application_approved : m.mail_application_rejected)({}, inThis)],
    action: {
      label: (approved ? m.mail_added_action : m.mail_application_action)({}, inThis),
      url: `${site.appUrl}/${approved ? 'practice' : 'join'}`,
    },
  };
}

export function addedLetter(token: string | null, name: string, site: MailSite): Letter {
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
