import type { Letter, MailSite } from '#/features/notifications/rules.ts';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import type { SendInput } from './contract.ts';
import { isSolution } from './proof/rules.ts';

/** Minimum seconds to fill in the form. */
export const quickest = 3;
/** Seconds; the page then requests another form. */
const validFor = 2 * 3_600;

/** Messages per sender; confirmations per email address. */
export const limits = {
  hourly: { max: 5, seconds: 3_600 },
  daily: { max: 20, seconds: 24 * 3_600 },
  receipts: { max: 2, seconds: 24 * 3_600 },
} as const;

export interface IssuedForm {
  id: string;
  issuedAt: Temporal.Instant;
}

/** Token content before sealing. */
export function formText({ id, issuedAt }: IssuedForm): string {
  return `${id} ${issuedAt.epochMilliseconds}`;
}

/** Parses `formText` output; null if invalid. */
export function formIn(text: string): IssuedForm | null {
  const parts = /^([0-9a-f-]{36}) (\d{1,15})$/.exec(text);
  if (!parts) return null;
  return { id: parts[1]!, issuedAt: Temporal.Instant.fromEpochMilliseconds(Number(parts[2])) };
}

/** Throws for likely bots and expired forms; the page retries the latter. */
export function refuseRobots(
  form: IssuedForm | null,
  { solution, website }: Pick<SendInput, 'solution' | 'website'>,
  now: Temporal.Instant,
): asserts form is IssuedForm {
  if (!form) throw new AppError('precondition', 'form_unknown');
  if (website !== '') throw new AppError('precondition', 'form_filled_by_robot');
  if (Temporal.Instant.compare(now, form.issuedAt.add({ seconds: validFor })) > 0)
    throw new AppError('precondition', 'form_expired');
  if (Temporal.Instant.compare(now, form.issuedAt.add({ seconds: quickest })) < 0)
    throw new AppError('precondition', 'form_too_quick');
  if (!isSolution(form.id, solution)) throw new AppError('precondition', 'form_unsolved');
}

/** In which an answer can be taken back. */
export const takeBackSeconds = 15;

/** Minimum search length in characters. */
export const shortestSearch = 3;

/** Excerpt length in characters. */
const excerptLength = 160;

export function excerptOf(message: string): string {
  return Array.from(message.slice(0, 2 * excerptLength))
    .slice(0, excerptLength)
    .join('');
}

interface SupportMatter {
  id: string;
  name: string;
  email: string;
  subject: string;
  message: string;
}

/** Builds the operator's email. Its subject reveals nothing, since others may see the inbox. */
export function supportLetter({ id, name, email, subject, message }: SupportMatter, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.contact_mail_support_subject({}, inThis),
    name: null,
    text: [m.contact_mail_support_text({}, inThis)],
    facts: [
      { label: m.contact_mail_support_name({}, inThis), value: name },
      { label: m.contact_mail_support_email({}, inThis), value: email },
      { label: m.contact_mail_support_about({}, inThis), value: subject },
    ],
    more: paragraphsOf(message),
    action: {
      label: m.contact_mail_support_action({}, inThis),
      url: `${site.appUrl}/admin/inbox?message=${id}`,
    },
    note: m.contact_mail_support_note({}, inThis),
  };
}

/** Builds the answer's email. It doesn't quote the message: a mistyped address may be someone else's. */
export function answerLetter({ name, text }: { name: string; text: string }, site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.contact_mail_answer_subject({}, inThis),
    name,
    text: [m.contact_mail_answer_text({}, inThis)],
    more: paragraphsOf(text),
    action: { label: m.contact_mail_answer_action({}, inThis), url: `${site.appUrl}/contact` },
    note: m.contact_mail_answer_note({}, inThis),
  };
}

/** Builds the sender's confirmation. Contains no typed text: anyone could have entered this address. */
export function receiptLetter(site: MailSite): Letter {
  const inThis = { locale: site.locale };
  return {
    subject: m.contact_mail_receipt_subject({}, inThis),
    name: null,
    text: [m.contact_mail_receipt_text({}, inThis), m.contact_mail_receipt_urgent({}, inThis)],
    action: { label: m.contact_mail_receipt_action({}, inThis), url: `${site.appUrl}/faq` },
    note: m.contact_mail_receipt_note({}, inThis),
  };
}

function paragraphsOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}
