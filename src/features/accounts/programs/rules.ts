import { AppError, type ErrorCode } from '#/kernel/errors.ts';

/** An error as the published client reads it. */
export interface ProgramError {
  status: number;
  code: string;
  msg: string;
  weakPassword?: { reasons: string[] };
}

type Answer = readonly [status: number, code: string, msg: string];

const expiredCode: Answer = [403, 'otp_expired', 'The code has expired or is wrong.'];
const noPhone: Answer = [422, 'phone_provider_disabled', 'Sign-in by phone isn’t enabled.'];
const missingSession: Answer = [403, 'session_not_found', 'The session has ended.'];

/** Answers by reason, with the published client's codes where available. */
const byReason: Readonly<Record<string, Answer>> = {
  malformed: [400, 'bad_json', 'The body isn’t a JSON object.'],
  length_required: [411, 'validation_failed', 'The body’s length is missing.'],
  body_too_large: [413, 'validation_failed', 'The body is too large.'],
  wrong_credentials: [400, 'invalid_credentials', 'The email or password is wrong.'],
  wrong_password: [400, 'invalid_credentials', 'The password is wrong.'],
  email_unverified: [400, 'email_not_confirmed', 'The email address isn’t verified yet.'],
  account_suspended: [403, 'user_banned', 'The account is suspended.'],
  address_held: [403, 'user_banned', 'Sign-in is blocked after a change of address.'],
  sign_in_required: missingSession,
  no_token: [401, 'no_authorization', 'This needs an access token.'],
  bad_token: [403, 'bad_jwt', 'The access token is invalid or has expired.'],
  refresh_token_unknown: [400, 'refresh_token_not_found', 'The refresh token is invalid.'],
  refresh_token_used: [400, 'refresh_token_already_used', 'The refresh token was used before.'],
  factor_needed: [403, 'insufficient_aal', 'Verify the second factor first.'],
  reauthentication_needed: [403, 'reauthentication_needed', 'Sign in again, or enter the password.'],
  reauthentication_required: [403, 'reauthentication_needed', 'Sign in again, or enter the password.'],
  full_reauthentication_required: [403, 'reauthentication_needed', 'Verify a code, then enter the password.'],
  code_expired: expiredCode,
  code_spent: expiredCode,
  return_expired: [400, 'flow_state_not_found', 'The code is wrong, was used or has expired.'],
  link_expired: [400, 'flow_state_not_found', 'The link was used or has expired.'],
  wrong_verifier: [400, 'bad_code_verifier', 'The code was asked for elsewhere.'],
  redirect_unregistered: [400, 'validation_failed', 'The redirect address isn’t registered.'],
  provider: [422, 'provider_disabled', 'This provider isn’t enabled.'],
  sso_provider: [404, 'sso_provider_not_found', 'No provider signs this domain in.'],
  provider_refused: [400, 'validation_failed', 'The provider’s token is invalid.'],
  provider_expired: [400, 'validation_failed', 'The proof was used or has expired.'],
  wallet_refused: [400, 'validation_failed', 'The wallet’s message or signature is invalid.'],
  wallet_contract: [400, 'validation_failed', 'Contract wallets can’t sign in.'],
  wallet_unknown: [422, 'user_not_found', 'No account is connected to the wallet.'],
  provider_address_unverified: [
    422,
    'provider_email_needs_verification',
    'The address isn’t verified there.',
  ],
  provider_account_exists: [
    422,
    'email_exists',
    'The address has an account, which must connect the provider.',
  ],
  sign_in_code_off: [422, 'otp_disabled', 'Sign-in codes are off.'],
  second_factor: [404, 'mfa_factor_not_found', 'There is no such factor.'],
  second_factor_not_begun: [404, 'mfa_factor_not_found', 'There is no such factor.'],
  second_factor_in_browser: [
    422,
    'mfa_webauthn_verify_not_enabled',
    'The second factor is a passkey. Sign in through the browser.',
  ],
  second_factor_active: [422, 'mfa_verified_factor_exists', 'There is a factor already.'],
  identity: [404, 'identity_not_found', 'There is no such identity.'],
  identity_taken: [422, 'identity_already_exists', 'The identity signs in to another account.'],
  provider_connected: [422, 'identity_already_exists', 'The account has an identity of this provider.'],
  last_way_in: [422, 'single_identity_not_deletable', 'The account needs another way to sign in first.'],
  second_factor_demanded: [422, 'conflict', 'This site requires a second factor.'],
  feature_off: [404, 'not_found', 'This is off.'],
  address_fixed: [422, 'validation_failed', 'The number can’t be changed here.'],
  own_sign_up: [422, 'signup_disabled', 'People sign up, and open their accounts, by themselves.'],
  not_administered: [422, 'validation_failed', 'Administrators can’t set this.'],
  email_and_password: [422, 'validation_failed', 'Change the email and the password one at a time.'],
  one_act: [422, 'validation_failed', 'Change the name and email, the role or the ban, one at a time.'],
  capability_missing: [403, 'not_admin', 'This is for administrators.'],
  scope_missing: [403, 'forbidden', 'An API token doesn’t open this.'],
  person: [404, 'user_not_found', 'There is no such user.'],
  yourself: [422, 'conflict', 'This is your own account.'],
  last_administrator: [422, 'conflict', 'The site needs another administrator first.'],
  role_not_offered: [422, 'conflict', 'The account can’t have this role.'],
  sessions_to_come: [422, 'conflict', 'There are sessions to come. Reassign or cancel them first.'],
  sessions_changed: [409, 'conflict', 'There are sessions to come. Decide about each on the person’s page.'],
  address_taken: [422, 'email_exists', 'The address has an account.'],
  administrator_address: [422, 'conflict', 'An administrator’s address can’t be changed.'],
  not_enabled: [422, 'provider_disabled', 'This way to sign in isn’t enabled.'],
  no_such_route: [404, 'not_found', 'There is no such call.'],
  anonymous: [422, 'anonymous_provider_disabled', 'Anonymous sign-in isn’t enabled.'],
  phone: noPhone,
  texted_codes_off: noPhone,
  too_many_texts: [429, 'over_sms_send_rate_limit', 'Too many texts. Try again later.'],
};

const byCode: Readonly<Record<ErrorCode, Answer>> = {
  invalid: [400, 'validation_failed', 'The request is invalid.'],
  unauthenticated: [401, 'no_authorization', 'This needs an access token.'],
  forbidden: [403, 'forbidden', 'This isn’t allowed.'],
  not_found: [404, 'not_found', 'There is no such thing.'],
  conflict: [409, 'conflict', 'This conflicts with something else.'],
  precondition: [422, 'validation_failed', 'This isn’t possible now.'],
  rate_limited: [429, 'over_request_rate_limit', 'Too many requests. Try again later.'],
  unavailable: [503, 'unavailable', 'This is unavailable. Try again later.'],
};

const unexpected: Answer = [500, 'unexpected_failure', 'Something went wrong.'];

/** As the published client names them. */
const weaknesses: Readonly<Record<string, string>> = {
  too_small: 'length',
  too_common: 'pwned',
  is_yours: 'characters',
};

const passwordFields = ['password', 'newPassword'];

export function programError(error: unknown): ProgramError {
  if (!(error instanceof AppError)) return programErrorOf(unexpected);
  const field = error.fields[0];
  const weakness = field && passwordFields.includes(field.field) ? weaknesses[field.reason] : undefined;
  if (weakness)
    return {
      ...programErrorOf([422, 'weak_password', 'The password is too weak.']),
      weakPassword: { reasons: [weakness] },
    };
  // The second factor's; an emailed code can expire.
  if (field?.reason === 'wrong_code' && field.field === 'code')
    return programErrorOf([422, 'mfa_verification_failed', 'The code is wrong.']);
  if (error.reason === 'wrong_code') return programErrorOf(expiredCode);
  const answer = programErrorOf(byReason[error.reason] ?? byCode[error.code]);
  return field ? { ...answer, msg: `${answer.msg} (${field.field})` } : answer;
}

function programErrorOf([status, code, msg]: Answer): ProgramError {
  return { status, code, msg };
}

/** Replaces a path's ids by `:id`; returns both. */
export function routeOf(method: string, path: string): { route: string; ids: string[] } {
  const ids: string[] = [];
  if (path.includes(':')) return { route: '', ids };
  const route = path.replaceAll(/\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/g, (found) => {
    ids.push(found.slice(1));
    return '/:id';
  });
  return { route: `${method} ${route}`, ids };
}
