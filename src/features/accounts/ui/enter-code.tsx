import { useEffect, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { IdentityAnswer } from '../identity/contract.ts';
import { codeMinutes, isEmailedCode } from '../rules.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';

/** Where the code was sent. */
export interface AwaitedCode {
  by: 'email' | 'text';
  to: string;
}

const texts = {
  email: {
    missing: m.accounts_code_missing,
    wrong: m.accounts_code_wrong,
    sent: (email: string) => m.accounts_code_sent_text({ email, minutes: codeMinutes }),
    again: m.accounts_code_again,
    againTitle: m.accounts_forgot_sent_title,
    againText: (email: string) => m.accounts_code_again_sent({ email }),
  },
  text: {
    missing: m.accounts_texted_code_missing,
    wrong: m.accounts_texted_code_wrong,
    sent: (phone: string) => m.accounts_texted_code_sent_text({ phone, minutes: codeMinutes }),
    again: m.accounts_texted_code_again,
    againTitle: m.accounts_texted_code_again_title,
    againText: (phone: string) => m.accounts_texted_code_again_sent({ phone }),
  },
};

/** Signs in with an emailed or texted code. */
export function EnterCode({
  by,
  to,
  next,
  onAnswer,
  onBack,
}: AwaitedCode & {
  next: () => string;
  onAnswer: (answer: IdentityAnswer, emailCode: string) => Promise<void>;
  onBack: () => void;
}) {
  const words = texts[by];
  const [asking, setAsking] = useState(false);
  const form = useForm({
    values: { emailCode: '' },
    check: ({ emailCode }) => (isEmailedCode(emailCode) ? {} : { emailCode: words.missing() }),
    sentence: (field) => (field === 'emailCode' ? words.wrong() : undefined),
    failureText: (error) => identityErrorText(error, entriesKept),
    save: async ({ emailCode }) => onAnswer(await callIdentity('/sign-in/code', { emailCode }), emailCode),
  });
  const { props, register, errorOf, setFocus, reset, failure, busy } = form;
  // The previous form unmounted and lost focus.
  useEffect(() => setFocus('emailCode'), [setFocus]);

  const askAgain = async () => {
    setAsking(true);
    try {
      await (by === 'email'
        ? callIdentity('/request-sign-in-code', { email: to, next: next() })
        : callIdentity('/request-texted-code', { phone: to }));
      reset();
      // `setFocus` knows the field only after rendering.
      props.ref.current?.querySelector('input')?.focus();
      toast.done(words.againTitle(), words.againText(to));
    } catch (error) {
      toast.failed(m.accounts_error_title(), identityErrorText(error, entriesKept));
    } finally {
      setAsking(false);
    }
  };

  return (
    <form {...props} className="space-y-4">
      <p className="text-quiet">{words.sent(to)}</p>
      <Field label={m.accounts_code_field()} error={errorOf('emailCode')}>
        <TextInput {...register('emailCode')} autoComplete="one-time-code" inputMode="numeric" />
      </Field>
      <FailureAlert title={m.accounts_error_title()} text={failure} />
      <Button type="submit" busy={busy} busyLabel={m.accounts_submitting()} className="w-full">
        {m.accounts_sign_in()}
      </Button>
      <div className="flex flex-col items-center">
        <Button variant="quiet" size="sm" busy={asking} onClick={() => void askAgain()}>
          {words.again()}
        </Button>
        <Button variant="quiet" size="sm" onClick={onBack}>
          {m.accounts_back_to_sign_in()}
        </Button>
      </div>
    </form>
  );
}
