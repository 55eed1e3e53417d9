import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import type { FieldTexts } from '#/web/form-saving.ts';
import type { LengthPrice, ManagedService } from '../contract.ts';
import { priceOf, usualLengths } from '../prices/rules.ts';
import { priceText, readNumber, serviceLimits as limits } from '../rules.ts';

/** Empty means prorated. */
export type LengthWords = Readonly<Record<number, string>>;

export function lengthWords(service: ManagedService | null): LengthWords {
  return Object.fromEntries(
    (service?.lengthPrices ?? []).map(({ minutes, priceCents }) => [minutes, String(priceCents / 100)]),
  );
}

/** Skips the service's own length, priced in its own field. */
export function lengthPricesOf(words: LengthWords, ownMinutes: number): LengthPrice[] {
  return othersThan(ownMinutes).flatMap((minutes) => {
    const dollars = readNumber(words[minutes] ?? '');
    return dollars === null ? [] : [{ minutes, priceCents: Math.round(dollars * 100) }];
  });
}

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

/** Empty fields show the prorated price. */
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
