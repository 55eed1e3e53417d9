import { createTransport } from 'nodemailer';
import { MailRefused, type Transport } from './mail.ts';
import type { MailAttachment } from './tables.ts';

/** How long the mail server may keep us waiting at each step, in milliseconds. */
const patience = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
};

/**
 * Sends through the mail server that an SMTP URL names, from the address of `from` under the site's name. A single
 * invitation goes as an alternative of the text too (RFC 6047), so that mail programs show it with the mail; of a series,
 * each session's file is attached.
 */
export function smtpTransport(url: string, from: string): Transport {
  const lane = (maxConnections: number) => createTransport({ url, ...patience, pool: true, maxConnections });
  const [urgentLane, usualLane] = [lane(2), lane(5)];
  const address = /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
  const host = /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return async ({
    id,
    senderName,
    to,
    replyTo,
    subject,
    text,
    html,
    attachments,
    unsubscribeUrl,
    urgent,
    requestId,
  }) => {
    const invitations = attachments.filter((one) => methodOf(one) !== null);
    const invitation = invitations.length === 1 ? invitations[0]! : null;
    const others = attachments.filter((one) => one !== invitation);
    try {
      await (urgent ? urgentLane : usualLane).sendMail({
        from: { name: senderName, address },
        // As an object it is one address, whatever it holds; as text it could be a list.
        to: { name: '', address: to },
        ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
        html,
        ...(invitation && {
          icalEvent: {
            method: methodOf(invitation)!,
            filename: invitation.filename,
            content: invitation.content,
          },
        }),
        attachments: others.map(({ filename, contentType, content }) => ({ filename, contentType, content })),
        // The same on every try, so that a mail which came twice is recognised as one.
        messageId: `<${id}@${host}>`,
        headers: {
          'X-Request-Id': requestId,
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribeUrl !== null && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
    } catch (error) {
      const refused = refusalCode(error);
      if (refused !== null) throw new MailRefused(refused);
      // oxlint-disable-next-line preserve-caught-error -- the cause names the recipient, and errors are logged
      throw new Error(`the mail server didn’t take the mail: ${faultOf(error)}`);
    }
  };
}

/** The iTIP method of a calendar file, or null for any other. */
function methodOf({ contentType }: MailAttachment): string | null {
  return /^text\/calendar;(?:.*;)?\s*method=([A-Z]+)/.exec(contentType)?.[1] ?? null;
}

/** The reply's codes where the server refused this mail for good; a login or a connection that fails is no such answer. */
function refusalCode(error: unknown): string | null {
  const { code, responseCode, response } = error as Record<string, unknown>;
  const ofTheMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!ofTheMail || typeof responseCode !== 'number' || responseCode < 500) return null;
  // RFC 3463: what exactly was wrong; the words after it may name the recipient.
  const enhanced = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
  return [responseCode, enhanced].filter(Boolean).join(' ');
}

/** The words that say what went wrong: the server's own answer may name the recipient, who has no place in a log. */
function faultOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    [code, responseCode].filter((word) => typeof word === 'string' || typeof word === 'number').join(' ') ||
    'unknown'
  );
}
