import { Check } from 'lucide-react';
import { useId } from 'react';
import type { ComponentProps, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';
import { FieldError } from './field.tsx';

export type Choice<Value extends string> = {
  value: Value;
  label: ReactNode;
  description?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
};

const layouts = {
  cards: 'grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]',
  chips: 'grid grid-cols-[repeat(auto-fill,minmax(6.25rem,1fr))] gap-2',
};

/**
 * Radio group with all options visible: `cards` for options with descriptions, `chips` for many short ones. Native
 * radio keyboard behavior.
 */
export function ChoiceGroup<Value extends string>({
  legend,
  hint,
  error,
  name,
  choices,
  value,
  onChange,
  onBlur,
  layout = 'cards',
  ref,
  className,
}: {
  legend: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  name?: string;
  choices: readonly Choice<Value>[];
  value: Value | null | undefined;
  onChange: (value: Value) => void;
  onBlur?: () => void;
  layout?: 'cards' | 'chips';
  /** The selected radio button, or the first: receives focus when validation fails. */
  ref?: Ref<HTMLInputElement>;
  className?: string;
}) {
  const id = useId();
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  const focused =
    choices.find((choice) => choice.value === value) ?? choices.find((choice) => !choice.disabled);
  return (
    <fieldset
      role="radiogroup"
      aria-describedby={ids || undefined}
      aria-invalid={error ? true : undefined}
      className={classes('min-w-0', className)}
    >
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-quiet">
          {hint}
        </p>
      )}
      <div className={layouts[layout]}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classes(
              'group relative flex min-h-11 rounded-control border bg-card transition-colors duration-150',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
              'has-disabled:border-line has-disabled:bg-sunken has-disabled:text-quiet',
              layout === 'cards'
                ? 'items-start gap-3 p-3.5 not-has-disabled:hover:bg-sunken has-checked:border-primary has-checked:bg-primary-soft has-checked:inset-ring has-checked:inset-ring-primary not-has-disabled:has-checked:hover:bg-primary-soft'
                : 'items-center justify-center px-2 py-2 text-center font-medium tabular-nums not-has-disabled:hover:border-ink has-checked:border-primary has-checked:bg-primary has-checked:text-on-primary has-disabled:line-through',
              error ? 'border-clay' : 'border-control',
            )}
          >
            {/* Invisible, but covers the whole label, which makes it the click target. */}
            <input
              ref={choice === focused ? ref : undefined}
              type="radio"
              name={name ?? id}
              value={choice.value}
              checked={choice.value === value}
              disabled={choice.disabled}
              onChange={() => onChange(choice.value)}
              onBlur={onBlur}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control outline-none disabled:cursor-not-allowed"
            />
            {layout === 'chips' ? (
              choice.label
            ) : (
              <>
                {choice.icon && (
                  <span className="mt-0.5 text-primary group-has-disabled:text-quiet [&_svg]:size-5">
                    {choice.icon}
                  </span>
                )}
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold">{choice.label}</span>
                  {choice.description && (
                    <span className="block text-sm text-quiet">{choice.description}</span>
                  )}
                </span>
                <Check className="invisible mt-0.5 size-5 shrink-0 text-primary group-has-checked:visible" />
              </>
            )}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

type Labelled = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; description?: ReactNode };

/** A switch that takes effect immediately. */
export function Switch({ label, description, className, ...rest }: Labelled) {
  const id = useId();
  return (
    <label
      className={classes('flex min-h-11 cursor-pointer items-start justify-between gap-4 py-2.5', className)}
    >
      <LabelWords id={id} label={label} description={description} />
      <span className="relative h-7 w-12 shrink-0">
        <input
          aria-describedby={description ? id : undefined}
          {...rest}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox carries its own state
          role="switch"
          className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-full border border-control bg-sunken transition-colors duration-150 checked:border-primary checked:bg-primary disabled:cursor-not-allowed disabled:opacity-55"
        />
        <span className="pointer-events-none absolute top-1 left-1 size-5 rounded-full bg-control transition-transform duration-150 peer-checked:translate-x-5 peer-checked:bg-on-primary" />
      </span>
    </label>
  );
}

function LabelWords({ id, label, description }: { id: string } & Pick<Labelled, 'label' | 'description'>) {
  return (
    <span className="min-w-0">
      <span className="block font-medium">{label}</span>
      {description && (
        <span id={id} className="block text-sm text-quiet">
          {description}
        </span>
      )}
    </span>
  );
}
