import { Check } from 'lucide-react';
import { useId } from 'react';
import { FieldError } from './field.tsx';

/** Checkbox group with all options visible. */
export function SeveralChoices<Value extends string>({
  legend,
  error,
  choices,
  value,
  onChange,
}: {
  legend: string;
  error?: string | undefined;
  choices: readonly { value: Value; label: string }[];
  value: readonly Value[];
  onChange: (value: Value[]) => void;
}) {
  const id = useId();
  return (
    <fieldset
      className="min-w-0"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="relative inline-flex min-h-11 items-center gap-2 rounded-full border border-control bg-card px-3 py-1.5 text-sm font-medium wrap-anywhere sm:px-4 sm:text-base transition-colors duration-150 has-checked:border-primary has-checked:bg-primary-soft has-checked:text-primary-strong has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
          >
            <input
              type="checkbox"
              checked={value.includes(choice.value)}
              onChange={({ target }) =>
                onChange(
                  choices
                    .map((one) => one.value)
                    .filter((one) => (one === choice.value ? target.checked : value.includes(one))),
                )
              }
              className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full outline-none"
            />
            <Check aria-hidden className="hidden size-4 shrink-0 peer-checked:block" />
            {choice.label}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
