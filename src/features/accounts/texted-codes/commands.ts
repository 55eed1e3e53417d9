import { siteSettings } from '#/features/settings/queries.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { uncountAttempt } from '#/platform/http/limits.ts';
import { reaction, type Reaction } from '#/platform/jobs/reactions.ts';
import { textableNumber } from '#/platform/sms/number.ts';
import { SmsRefused, type Sms } from '#/platform/sms/sms.ts';
import { m } from '#/texts/messages.js';
import { makeCode, unmakeCode } from '../emailed-codes/commands.ts';
import { codeMinutes } from '../rules.ts';
import { phoneOf } from './queries.ts';
import type { countAttempts } from '../tries/commands.ts';
import { allowances } from '../tries/rules.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'accounts.texted_code_requested': { codeId: string; byProgram: boolean };
  }
}

/** The parts of the process that texting a code needs. */
export interface TextServer {
  /** Null: off. */
  sms: Sms | null;
  tries: ReturnType<typeof countAttempts>;
  appUrl: string;
  secret: string;
}

/** Throws forbidden `texted_codes_off`. */
export async function requireTexts(ctx: Ctx, { sms }: Pick<TextServer, 'sms'>): Promise<Sms> {
  if (!sms || !(await siteSettings(ctx)).sign_in_code) throw new AppError('forbidden', 'texted_codes_off');
  return sms;
}

/** Returns a number in E.164 that gets texts. Throws invalid `bad_format`, `country` or `not_mobile` for `phone`. */
export async function requireNumber(sms: Sms, typed: string): Promise<string> {
  const read = await textableNumber(typed, sms.countries);
  if ('fault' in read) throw invalidField('phone', read.fault);
  return read.number;
}

/** Shares of the site's daily texts: adding numbers, which any account can, leaves most of them for signing in. */
const shares = { sign_in: 0.8, add: 0.2 } as const;

/**
 * Counts a request before its number is looked up, so that known and unknown numbers count alike. Returns what uncounts
 * it for the site if nothing is texted. Throws rate_limited `too_many_texts`.
 */
export async function countText(
  ctx: Ctx,
  { tries }: Pick<TextServer, 'tries'>,
  { perDay }: Pick<Sms, 'perDay'>,
  { to: purpose, whose }: { to: keyof typeof shares; whose: readonly string[] },
): Promise<() => Promise<void>> {
  const networkKey = tries.keyOf('texts at', networkOf(ctx.address ?? ''));
  const site = `texts of the site to ${purpose}`;
  const counted = [
    ...whose.map((one) => tries.keyOf('texts', one)).map((key) => [key, allowances.texts] as const),
    ...whose.map((one) => tries.keyOf('texts day', one)).map((key) => [key, allowances.textsDay] as const),
    [networkKey, allowances.textsCrowd],
    [`${networkKey} day`, allowances.textsCrowdDay],
    [site, { tries: Math.ceil(perDay * shares[purpose]), seconds: 86_400 }],
  ] as const;
  for (const [key, allowance] of counted)
    if (!(await tries.allows(ctx, key, allowance))) throw new AppError('rate_limited', 'too_many_texts');
  return () => uncountAttempt(ctx.db, site);
}

/** The last line lets browsers fill in the code, on this site alone (WebOTP). Apps have no line. */
export function textOf(words: string, code: string, appUrl: string | null): string {
  return appUrl === null ? words : `${words}\n\n@${new URL(appUrl).hostname} #${code}`;
}

/** Texts codes to sign in with. */
export function textCodes(sms: Sms, appUrl: string): Reaction {
  return reaction({
    event: 'accounts.texted_code_requested',
    name: 'accounts.text-code',
    atOnce: true,
    async handle(ctx, { codeId, byProgram }) {
      const made = await transact(ctx, (tx) => makeCode(tx, codeId));
      const phone = made && (await phoneOf(ctx, made.userId));
      if (!phone) return;
      const words = m.sms_sign_in_code({ code: made.code, minutes: codeMinutes });
      const body = textOf(words, made.code, byProgram ? null : appUrl);
      try {
        await sms.send({ to: phone.number, body });
      } catch (error) {
        // Trying again would change nothing.
        if (error instanceof SmsRefused) return;
        await unmakeCode(ctx, codeId);
        throw error;
      }
    },
  });
}
