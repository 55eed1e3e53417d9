import { m } from '#/texts/messages.js';
import { entriesKept, failureText, type FailureTexts } from '#/web/failures.ts';

export const messagingFailures: FailureTexts = {
  ...entriesKept,
  not_found: m.messaging_failed_gone,
  invalid: m.messaging_failed_bad,
  precondition: m.messaging_failed_closed,
  conflict: m.messaging_failed_closed,
};

export function messageFailureText(error: unknown): string {
  return failureText(error, { ...messagingFailures, unreachable: m.messaging_failed_unreachable });
}
