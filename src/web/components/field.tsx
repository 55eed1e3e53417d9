import { ChevronDown, CircleAlert, Eye, EyeOff } from 'lucide-react';
import { createContext, use, useId, useState } from 'react';
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

type Wiring = { id: string; describedBy: string | undefined; invalid: boolean };

const FieldWiring = createContext<Wiring | null>(null);

function useFieldProps() {
  const field = use(FieldWiring);
  if (!field) return {};
  return {
    id: field.id,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
  };
}

export function Field({
  label,
  hint,
  error,
  optional = false,
  children,
  className,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  children: ReactNode;
  className?: string;
}) {
  const id = useId();
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {label}
        {optional && <span className="font-normal text-quiet"> ({m.web_optional()})</span>}
      </label>
      <FieldWiring value={{ id, describedBy: ids || undefined, invalid: Boolean(error) }}>
        {children}
      </FieldWiring>
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-quiet">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex items-start gap-1.5 text-sm font-medium text-clay">
      <CircleAlert className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

const control = classes(
  'block w-full min-h-12 rounded-control border border-control bg-card px-3.5 py-2.5 text-base text-ink',
  'transition-colors duration-150 placeholder:text-quiet placeholder:opacity-100 hover:border-ink',
  'focus-visible:border-primary focus-visible:outline-offset-0',
  'aria-invalid:border-clay aria-invalid:inset-ring aria-invalid:inset-ring-clay',
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-quiet',
);

export function TextInput({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  // Without it, years may have six digits.
  const max = type === 'date' ? '2999-12-31' : undefined;
  return (
    <input max={max} {...useFieldProps()} {...rest} type={type} className={classes(control, className)} />
  );
}

export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <TextInput
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
        className={classes('pr-12', className)}
      />
      <button
        type="button"
        aria-label={shown ? m.web_hide_password() : m.web_show_password()}
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 grid w-12 place-items-center rounded-control text-quiet hover:text-ink focus-visible:-outline-offset-3"
      >
        {shown ? <EyeOff className="size-5" /> : <Eye className="size-5" />}
      </button>
    </div>
  );
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...useFieldProps()}
      {...rest}
      rows={rows}
      className={classes(control, 'field-sizing-content min-h-28 resize-y wrap-anywhere', className)}
    />
  );
}

/** Native: phones show their own picker. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select
        {...useFieldProps()}
        {...rest}
        className={classes(control, 'cursor-pointer appearance-none pr-11', className)}
      >
        {children}
      </select>
      <ChevronDown className="pointer-events-none absolute inset-y-0 right-3.5 my-auto size-5 text-quiet" />
    </div>
  );
}

type FieldProps = Omit<ComponentProps<typeof Field>, 'children'>;

/** Puts a control into its own field. */
function withField<Props>(Control: ComponentType<Props>) {
  return ({ label, hint, error, optional, className, ...rest }: FieldProps & Omit<Props, 'className'>) => (
    <Field label={label} hint={hint} error={error} optional={optional} className={className}>
      <Control {...(rest as Props & object)} />
    </Field>
  );
}

export const TextField = withField(TextInput);
export const PasswordField = withField(PasswordInput);
export const TextareaField = withField(Textarea);
export const SelectField = withField(Select);
