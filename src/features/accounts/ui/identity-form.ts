import { useRef } from 'react';
import { m } from '#/texts/messages.js';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept } from '#/web/failures.ts';
import { useForm, type Form, type FormOptions } from '#/web/form.tsx';
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

/** A form that `callIdentity` saves. A toast shows each failure until the next attempt. */
export function useIdentityForm<V extends Record<string, string>>({
  failedTitle = m.accounts_error_title,
  failureText = (error) => identityErrorText(error, entriesKept),
  save,
  ...options
}: IdentityFormOptions<V>): Form<V> & { dismissFailure: () => void } {
  const { site } = useSession();
  const { toast } = useToast();
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
  return { ...form, dismissFailure };
}
