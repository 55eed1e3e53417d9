import { createTransport } from 'nodemailer';
import { MailRefused, type Transport } from './mail.ts';
import type { MailAttachment } from './tables.ts';

/** SMTP timeouts in milliseconds. */
const patience = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  dnsTimeout: 10_000,
};

/**
 * Sends through an SMTP server, from the address of `from` under the site's name. A single invitation is an alternative
 * body (RFC 6047), so email apps show it inline; a series attaches a file per session.
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
        // An object is always a single address; a string could be parsed as a list.
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
        // Stable: email apps can detect duplicate retries.
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
      throw new Error(`email not sent: ${smtpErrorCode(error)}`);
    }
  };
}

function methodOf({ contentType }: MailAttachment): string | null {
  return /^text\/calendar;(?:.*;)?\s*method=([A-Z]+)/.exec(contentType)?.[1] ?? null;
}

/** Returns the reply codes of a permanent rejection. Login and connection failures are temporary. */
function refusalCode(error: unknown): string | null {
  const { code, responseCode, response } = error as Record<string, unknown>;
  const ofTheMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!ofTheMail || typeof responseCode !== 'number' || responseCode < 500) return null;
  // RFC 3463 enhanced code. The text after it may name the recipient.
  const enhanced = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(String(response))?.[1];
  return [responseCode, enhanced].filter(Boolean).join(' ');
}

/** Returns error codes only: the server's text may name the recipient, who must stay out of logs. */
function smtpErrorCode(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    [code, responseCode].filter((word) => typeof word === 'string' || typeof word === 'number').join(' ') ||
    'unknown'
  );
}
