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

export function factorFailureText(error: unknown): string {
  return failureText(error, {
    ...accountFailures,
    second_factor_active: m.second_step_changed,
    second_factor_demanded: m.second_step_demanded,
    second_factor_not_begun: m.second_step_changed,
    feature_off: m.second_step_changed,
    passkey: m.second_step_changed,
    passkey_expired: m.accounts_error_passkey_expired,
    passkeys_off: m.accounts_error_passkeys_off,
  });
}
