import { Outage } from '#/kernel/errors.ts';
import { boundedFetch, NoAnswer } from '../http/bounded-fetch.ts';
import type { SmsConfig } from '../sms-config.ts';

interface Text {
  /** E.164. */
  to: string;
  body: string;
}

export interface Sms extends Pick<SmsConfig, 'countries' | 'perDay'> {
  /** Throws SmsRefused, or unavailable `texts_down`. */
  send(text: Text): Promise<void>;
}

/** The provider can't text this number, ever. */
export class SmsRefused extends Error {
  override name = 'SmsRefused';
}

/** Twilio's errors about the number: invalid, not allowed, opted out, unreachable, or not a mobile. */
const ofNumber: readonly unknown[] = [21211, 21214, 21217, 21408, 21610, 21612, 21614, 21635];

/** Sends texts through a provider with Twilio's API. Its errors are logged, so they name no number. */
export function openSms({ base, sid, token, from, countries, perDay }: SmsConfig): Sms {
  const ask = boundedFetch({
    timeout: 5_000,
    maxBytes: 64 * 1024,
    loopback: base.startsWith('http:'),
  });
  const address = `${base}/2010-04-01/Accounts/${encodeURIComponent(sid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
  return {
    countries,
    perDay,
    send: async ({ to, body }) => {
      const response = await ask(address, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ To: to, From: from, Body: body }).toString(),
      }).catch((error: unknown) => {
        throw error instanceof NoAnswer ? outage(error.message) : error;
      });
      if (response.ok) return;
      const code = await codeIn(response);
      if (ofNumber.includes(code)) throw new SmsRefused(`the SMS provider refused a number: ${String(code)}`);
      throw outage(`it answered ${response.status}${typeof code === 'number' ? ` (${code})` : ''}`);
    },
  };
}

async function codeIn(response: Response): Promise<unknown> {
  const body = (await response.json().catch(() => null)) as { code?: unknown } | null;
  return body?.code;
}

function outage(reason: string): Outage {
  const down = new Outage('unavailable', 'texts_down');
  down.message = `the SMS provider can’t be used: ${reason}`;
  return down;
}
