import { createTransport } from 'nodemailer';
import type { Transport } from './mail.ts';

/** Sends through a mail server named by an SMTP URL. A calendar file goes as an alternative too, so that programs offer it. */
export function smtpTransport(url: string, from: string): Transport {
  const server = createTransport(url);
  return async ({ to, subject, text, html, attachments = [], key, requestId }) => {
    await server.sendMail({
      from,
      to,
      subject,
      text,
      html,
      attachments: attachments.map(({ filename, contentType, content }) => ({ filename, contentType, content })),
      // The key makes a repeated send recognisable; RFC 5322 wants an id that is unique in the world.
      messageId: `<${encodeURIComponent(key)}@${from.split('@').at(-1)?.replace('>', '') ?? 'localhost'}>`,
      headers: { 'X-Request-Id': requestId, 'Auto-Submitted': 'auto-generated' },
    });
  };
}
