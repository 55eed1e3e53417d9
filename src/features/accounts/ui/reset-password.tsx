import { useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput } from '#/web/components/field.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { onwardPath } from '../rules.ts';
import { refusedErrors, typedErrors } from './field-errors.ts';
import { useHydrated, useTypedBefore } from '#/web/hydrated.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';
import { useSession } from './session.tsx';

/** What the page of the recovery link does: takes a new password, signs in, and goes on with what was interrupted. */
export function ResetPassword({ token, next }: { token: string; next: string | null }) {
  const { site, refresh } = useSession();
  const { toast } = useToast();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [newPassword, setNewPassword] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [expired, setExpired] = useState(false);
  useTypedBefore(form, (before) => setNewPassword(before.newPassword ?? ''));
  const onward = onwardPath(next);
  const goOn = () => void navigate(onward, { replace: true });

  const showError = (sentence: string | undefined) => {
    flushSync(() => setError(sentence));
    if (sentence) input.current?.focus();
  };

  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = typedErrors({ newPassword }, site.passwordMinLength).newPassword;
    showError(found);
    if (found) return;
    setBusy(true);
    try {
      const { signedIn } = await callIdentity('/reset-password', { token, newPassword });
      await refresh();
      toast({
        tone: 'success',
        title: signedIn ? m.accounts_welcome_back_title() : m.accounts_reset_done_title(),
        description: signedIn ? m.accounts_reset_done_text() : m.accounts_reset_sign_in_text(),
      });
      if (signedIn) goOn();
      else await navigate(`/?auth=1&next=${encodeURIComponent(onward)}`, { replace: true });
    } catch (failure) {
      if (failure instanceof AppError && failure.reason === 'link_expired') {
        setExpired(true);
        return;
      }
      toast({
        tone: 'destructive',
        title: m.accounts_error_title(),
        description: identityErrorText(failure),
      });
      if (failure instanceof AppError) showError(refusedErrors(failure, site.passwordMinLength).newPassword);
    } finally {
      setBusy(false);
    }
  };

  if (expired) {
    return (
      <LinkExpired
        title={m.accounts_link_expired_title()}
        text={m.accounts_reset_expired_text()}
        initialMode="forgot"
        next={onward}
        onSignedIn={goOn}
      />
    );
  }
  return (
    <MailedLinkPage title={m.accounts_forgot_title()}>
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        className="space-y-4"
      >
        <Field
          label={m.accounts_new_password()}
          hint={m.accounts_password_hint({ min: site.passwordMinLength })}
          error={error}
        >
          <PasswordInput
            ref={input}
            name="newPassword"
            value={newPassword}
            onChange={(event) => setNewPassword(event.target.value)}
            autoComplete="new-password"
            required
          />
        </Field>
        <Button
          type="submit"
          disabled={!hydrated}
          busy={busy}
          busyLabel={m.accounts_submitting()}
          className="w-full"
        >
          {m.accounts_reset_submit()}
        </Button>
      </form>
    </MailedLinkPage>
  );
}
