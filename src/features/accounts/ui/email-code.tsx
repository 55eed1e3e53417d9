import { useEffect, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { IdentityAnswer } from '../identity/contract.ts';
import { codeMinutes, isEmailedCode } from '../rules.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';

/** Signs in with an emailed code. */
export function EmailCode({
  email,
  next,
  onAnswer,
  onBack,
}: {
  email: string;
  next: () => string;
  onAnswer: (answer: IdentityAnswer, emailCode: string) => Promise<void>;
  onBack: () => void;
}) {
  const { toast } = useToast();
  const [asking, setAsking] = useState(false);
  const form = useForm({
    values: { emailCode: '' },
    check: ({ emailCode }) => (isEmailedCode(emailCode) ? {} : { emailCode: m.accounts_code_missing() }),
    sentence: (field) => (field === 'emailCode' ? m.accounts_code_wrong() : undefined),
    failureText: (error) => identityErrorText(error, entriesKept),
    save: async ({ emailCode }) => onAnswer(await callIdentity('/sign-in/code', { emailCode }), emailCode),
  });
  const { props, register, errorOf, setFocus, reset, failure, busy } = form;
  // The previous form unmounted and lost focus.
  useEffect(() => setFocus('emailCode'), [setFocus]);

  const askAgain = async () => {
    setAsking(true);
    try {
      await callIdentity('/request-sign-in-code', { email, next: next() });
      reset();
      // `setFocus` knows the field only after rendering.
      props.ref.current?.querySelector('input')?.focus();
      toast.done(m.accounts_forgot_sent_title(), m.accounts_code_again_sent({ email }));
    } catch (error) {
      toast.failed(m.accounts_error_title(), identityErrorText(error, entriesKept));
    } finally {
      setAsking(false);
    }
  };

  return (
    <form {...props} className="space-y-4">
      <p className="text-quiet">{m.accounts_code_sent_text({ email, minutes: codeMinutes })}</p>
      <Field label={m.accounts_code_field()} error={errorOf('emailCode')}>
        <TextInput {...register('emailCode')} autoComplete="one-time-code" inputMode="numeric" />
      </Field>
      {failure && (
        <Notice tone="destructive" title={m.accounts_error_title()}>
          {failure}
        </Notice>
      )}
      <Button type="submit" busy={busy} busyLabel={m.accounts_submitting()} className="w-full">
        {m.accounts_sign_in()}
      </Button>
      <div className="flex flex-col items-center">
        <Button variant="quiet" size="sm" busy={asking} onClick={() => void askAgain()}>
          {m.accounts_code_again()}
        </Button>
        <Button variant="quiet" size="sm" onClick={onBack}>
          {m.accounts_back_to_sign_in()}
        </Button>
      </div>
    </form>
  );
}
