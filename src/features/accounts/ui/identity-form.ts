import { useRef, type ChangeEvent } from 'react';
import type { FieldPath, FieldPathValue } from 'react-hook-form';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept } from '#/web/failures.ts';
import { useForm, type Form, type FormOptions } from '#/web/form.tsx';
import { useTypedBefore } from '#/web/hydrated.ts';
import { refusedErrors } from './field-errors.ts';
import { identityErrorText } from './identity-call.ts';
import { useSession } from './session.tsx';

interface IdentityFormOptions<V extends Record<string, string>> extends Pick<
  FormOptions<V>,
  'values' | 'check' | 'save'
> {
  failedTitle?: () => string;
  failureText?: (error: unknown) => string;
}

interface IdentityForm<V extends Record<string, string>> extends Form<V> {
  dismissFailure: () => void;
  /**
   * For inputs that password managers fill in. Controlled, because `register` assigns a value on hydration, which would
   * discard theirs.
   */
  input: (name: FieldPath<V>) => {
    name: string;
    value: string;
    onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

/** A form that `callIdentity` saves. A toast shows each failure until the next attempt. */
export function useIdentityForm<V extends Record<string, string>>({
  failedTitle = m.accounts_error_title,
  failureText = (error) => identityErrorText(error, entriesKept),
  save,
  ...options
}: IdentityFormOptions<V>): IdentityForm<V> {
  const { site } = useSession();
  const dismiss = useRef<() => void>(undefined);
  const dismissFailure = () => dismiss.current?.();
  const form = useForm<V>({
    ...options,
    refusedTexts: (error) => refusedErrors(error, site.passwordMinLength),
    save: async (typed) => {
      dismissFailure();
      try {
        await save(typed);
      } catch (error) {
        dismiss.current = toast({
          tone: 'destructive',
          title: failedTitle(),
          description: failureText(error),
        });
        throw error;
      }
    },
  });
  useTypedBefore(form.props.ref, (typed) => {
    for (const [field, text] of Object.entries(typed))
      form.setValue(field as FieldPath<V>, text as FieldPathValue<V, FieldPath<V>>);
  });
  return {
    ...form,
    dismissFailure,
    input: (name) => {
      const { value, onChange } = form.choice(name);
      return { name, value, onChange: ({ target }) => onChange(target.value as typeof value) };
    },
  };
}
