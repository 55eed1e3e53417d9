import { m } from '#/texts/messages.js';
import { failureText, type FailureTexts } from '#/web/failures.ts';

export const accountFailures: FailureTexts = {
  rate_limited: m.accounts_error_too_many,
  words_locked: m.words_locked_save,
  private_locked: m.private_locked_export,
};

export function accountFailureText(error: unknown): string {
  return failureText(error, accountFailures);
}
