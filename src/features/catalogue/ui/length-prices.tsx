import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import type { FieldTexts } from '#/web/form-saving.ts';
import type { LengthPrice, ManagedService } from '../contract.ts';
import { priceOf, usualLengths } from '../prices/rules.ts';
import { priceText, readNumber, serviceLimits as limits } from '../rules.ts';

/** What is typed as the price of each usual length; empty: in proportion to the service's own. */
export type LengthWords = Readonly<Record<number, string>>;

/** The prices that are set, as they are typed. */
export function lengthWords(service: ManagedService | null): LengthWords {
  return Object.fromEntries(
    (service?.lengthPrices ?? []).map(({ minutes, priceCents }) => [minutes, String(priceCents / 100)]),
  );
}

/** The prices to be kept: none for the service's own length, which has its own. */
export function lengthPricesOf(words: LengthWords, ownMinutes: number): LengthPrice[] {
  return othersThan(ownMinutes).flatMap((minutes) => {
    const dollars = readNumber(words[minutes] ?? '');
    return dollars === null ? [] : [{ minutes, priceCents: Math.round(dollars * 100) }];
  });
}

/** What is wrong with the prices, by the field of each. */
export function wrongPrices(words: LengthWords, ownMinutes: number): FieldTexts {
  return Object.fromEntries(
    othersThan(ownMinutes).flatMap((minutes) => {
      const text = (words[minutes] ?? '').trim();
      const dollars = readNumber(text);
      const right = text === '' || (dollars !== null && dollars >= 0 && dollars * 100 <= limits.dearestCents);
      return right
        ? []
        : [[fieldOf(minutes), m.services_admin_price_bad({ dearest: priceText(limits.dearestCents) })]];
    }),
  );
}

/** The price of each usual length other than the service's own; an empty one says what it comes to. */
export function LengthPrices({
  words,
  service,
  errors,
  onChange,
}: {
  words: LengthWords;
  service: { durationMinutes: number; priceCents: number };
  errors: FieldTexts;
  onChange: (words: LengthWords) => void;
}) {
  const known = service.durationMinutes > 0 && Number.isFinite(service.priceCents);
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1 font-semibold">{m.services_admin_prices()}</legend>
      <p className="text-sm text-quiet">{m.services_admin_prices_hint()}</p>
      <div className="grid gap-5 sm:grid-cols-3 sm:items-start">
        {othersThan(service.durationMinutes).map((minutes) => (
          <Field
            key={minutes}
            label={m.services_admin_price_length({ minutes })}
            hint={
              known
                ? m.services_admin_price_length_hint({
                    price: priceText(priceOf({ ...service, lengthPrices: [] }, minutes)),
                  })
                : undefined
            }
            error={errors[fieldOf(minutes)]}
          >
            <TextInput
              inputMode="decimal"
              autoComplete="off"
              value={words[minutes] ?? ''}
              onChange={({ target }) => onChange({ ...words, [minutes]: target.value })}
            />
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

function othersThan(ownMinutes: number): number[] {
  return usualLengths.filter((minutes) => minutes !== ownMinutes);
}

function fieldOf(minutes: number): string {
  return `lengthPrices.${minutes}`;
}
