import { isLoopback } from './config-safety.ts';
import type { Environment } from './environment.ts';
import { StartError } from './start-error.ts';

export interface SmsConfig {
  /** The provider's address, without credentials or a trailing slash. */
  base: string;
  sid: string;
  token: string;
  /** The number or name that texts come from. */
  from: string;
  /** Countries whose numbers get texts; numbers without `+` are of the first. */
  countries: readonly string[];
  /** Texts a day, for the whole site. */
  perDay: number;
}

const example = 'https://SID:TOKEN@api.twilio.com?from=%2B15551234567';

/**
 * Parses SMS_URL, SMS_COUNTRIES and SMS_DAILY_LIMIT; null without SMS_URL. Only a demo (`loopback`) may use http, and
 * only on this machine. Throws a StartError that repeats no secret.
 */
export function smsOf(
  {
    SMS_URL: text,
    SMS_COUNTRIES: countries = 'US,CA',
    SMS_DAILY_LIMIT: limit = '500',
  }: Pick<Environment, 'SMS_URL' | 'SMS_COUNTRIES' | 'SMS_DAILY_LIMIT'>,
  { loopback }: { loopback: boolean },
): SmsConfig | null {
  if (!text) return null;
  const url = URL.parse(text);
  if (!url?.username || !url.password || url.hash) throw new StartError(`Set SMS_URL to ${example}.`);
  if (url.protocol !== 'https:' && !(loopback && url.protocol === 'http:' && isLoopback(url.hostname)))
    throw new StartError(`SMS_URL isn’t an https address. Set it to ${example}.`);
  const from = url.searchParams.get('from') ?? '';
  if (url.searchParams.size !== 1 || !/^(?:\+[1-9]\d{6,14}|[A-Za-z0-9][A-Za-z0-9 ]{0,10})$/.test(from))
    throw new StartError(
      'SMS_URL must end with ?from= and the number that texts come from, with %2B instead of +. It takes no other parameters.',
    );
  return {
    base: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    sid: decoded(url.username),
    token: decoded(url.password),
    from,
    countries: countriesOf(countries),
    perDay: perDayOf(limit),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new StartError('SMS_URL has a % in its SID or token. Write it as %25.');
  }
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

function countriesOf(text: string): string[] {
  const countries = text.split(',').map((country) => country.trim());
  const wrong = countries.find((country) => !/^[A-Z]{2}$/.test(country) || !regions.of(country));
  if (wrong === undefined) return countries;
  throw new StartError(
    `SMS_COUNTRIES has "${wrong}". Set it to two-letter countries such as US,CA, separated by commas.`,
  );
}

function perDayOf(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  throw new StartError(`SMS_DAILY_LIMIT is "${text}". Set it to a whole number from 1 to 1000000.`);
}
