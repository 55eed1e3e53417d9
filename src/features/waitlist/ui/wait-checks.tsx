import { useId } from 'react';
import { classes } from '#/web/components/classes.ts';
import { FieldError } from '#/web/components/field.tsx';

export function WaitChecks<Value extends string | number>({
  legend,
  hint,
  error,
  choices,
  value: values,
  onChange,
  className,
}: {
  legend: string;
  hint?: string;
  error?: string | undefined;
  choices: readonly { value: Value; label: string }[];
  value: readonly Value[];
  onChange: (values: Value[]) => void;
  className?: string;
}) {
  const id = useId();
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <fieldset aria-describedby={ids || undefined} className={classes('min-w-0', className)}>
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-quiet">
          {hint}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label }) => {
          const checked = values.includes(value);
          return (
            <label
              key={value}
              className={classes(
                'relative flex min-h-11 min-w-14 items-center justify-center rounded-control border bg-card px-3 py-2 text-center font-medium transition-colors duration-150',
                'hover:border-ink has-checked:border-primary has-checked:bg-primary has-checked:text-on-primary',
                'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
                error ? 'border-clay' : 'border-control',
              )}
            >
              {/* Invisible input covering the label, so the touch target is the control itself. */}
              <input
                type="checkbox"
                checked={checked}
                aria-invalid={error ? true : undefined}
                onChange={() =>
                  onChange(checked ? values.filter((one) => one !== value) : [...values, value])
                }
                className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control outline-none"
              />
              {label}
            </label>
          );
        })}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
