import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { m } from '#/texts/messages.js';
import { Field, Select } from '#/web/components/field.tsx';

export function ServiceSelect({
  offered,
  service,
  error,
  onChoose,
}: {
  offered: readonly ServiceSummary[];
  service: ServiceSummary | null;
  error: string | false | undefined;
  onChoose: (serviceId: string) => void;
}) {
  return (
    <div data-problem={error ? '' : undefined}>
      <Field label={m.booking_service()} error={error}>
        <Select value={service?.id ?? ''} onChange={({ target }) => onChoose(target.value)}>
          {!service && <option value="">{m.booking_service_choose()}</option>}
          {offered.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
