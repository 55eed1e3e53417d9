import { AppError } from '#/kernel/errors.ts';
import type { SendInput } from './contract.ts';
import { isSolution } from './proof/rules.ts';

/** A person needs at least so long to write, in seconds. */
export const quickest = 3;
/** So long a form can be sent, in seconds; the page then gets another by itself. */
const validFor = 2 * 3_600;

/** What may be sent from one network, and be answered with a receipt to one address. */
export const limits = {
  hourly: { max: 5, seconds: 3_600 },
  daily: { max: 20, seconds: 24 * 3_600 },
  receipts: { max: 2, seconds: 24 * 3_600 },
} as const;

/** A form as its token tells of it. */
export interface IssuedForm {
  id: string;
  issuedAt: Temporal.Instant;
}

/** What a token holds, before it is sealed. */
export function formText({ id, issuedAt }: IssuedForm): string {
  return `${id} ${issuedAt.epochMilliseconds}`;
}

/** Reads what `formText` wrote; null for anything else. */
export function formIn(text: string): IssuedForm | null {
  const parts = /^([0-9a-f-]{36}) (\d{1,15})$/.exec(text);
  if (!parts) return null;
  return { id: parts[1]!, issuedAt: Temporal.Instant.fromEpochMilliseconds(Number(parts[2])) };
}

/** Refuses what a robot sends, in closed words; a page that was left open for long only needs another form. */
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

/** The shortest text that the inbox is searched for. */
export const shortestSearch = 3;

/** How much of a message the inbox lists, in characters. */
const excerptLength = 160;

/** The beginning of a message, as the inbox lists it. */
export function excerptOf(message: string): string {
  return Array.from(message.slice(0, 2 * excerptLength))
    .slice(0, excerptLength)
    .join('');
}
