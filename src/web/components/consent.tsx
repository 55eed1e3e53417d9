import { useId } from 'react';
import { classes } from '#/web/components/classes.ts';
import { FieldError } from '#/web/components/field.tsx';

/** Never pre-checked: consent must be explicit. */
export function Consent({
  children,
  checked,
  onChange,
  error,
  disabled = false,
}: {
  children: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | false | undefined;
  /** Until hydration: an earlier check would be lost. */
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div>
      <label
        className={classes(
          'flex min-h-11 items-start gap-3 rounded-control border bg-card px-4 py-3 hover:border-ink',
          error ? 'border-clay' : 'border-control',
        )}
      >
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
          className="mt-0.5 size-5 shrink-0 cursor-pointer accent-primary"
        />
        <span>{children}</span>
      </label>
      {error && <FieldError id={id}>{error}</FieldError>}
    </div>
  );
}
