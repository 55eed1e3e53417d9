import { m } from '#/texts/messages.js';
import { Field, TextInput } from '#/web/components/field.tsx';
import type { Form } from '#/web/form.tsx';
import { priceOf, usualLengths } from '../prices/rules.ts';
import { priceText } from '../rules.ts';
import { checkedInput, type ServiceValues } from './service-values.ts';

/** Empty fields show the prorated price. Skips the service's own length, priced in its own field. */
export function LengthPrices({ form: { register, errorOf, watch } }: { form: Form<ServiceValues> }) {
  const { durationMinutes, priceCents } = checkedInput(watch());
  const service = { durationMinutes, priceCents, lengthPrices: [] };
  const known = durationMinutes > 0 && Number.isFinite(priceCents);
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1 font-semibold">{m.services_admin_prices()}</legend>
      <p className="text-sm text-quiet">{m.services_admin_prices_hint()}</p>
      <div className="grid gap-5 sm:grid-cols-3 sm:items-start">
        {usualLengths.map(
          (minutes, index) =>
            minutes !== durationMinutes && (
              <Field
                key={minutes}
                label={m.services_admin_price_length({ minutes })}
                hint={
                  known && m.services_admin_price_length_hint({ price: priceText(priceOf(service, minutes)) })
                }
                error={errorOf(`lengthPrices.${index}.priceCents`)}
              >
                <TextInput
                  {...register(`lengthPrices.${index}.priceCents`)}
                  inputMode="decimal"
                  autoComplete="off"
                />
              </Field>
            ),
        )}
      </div>
    </fieldset>
  );
}
