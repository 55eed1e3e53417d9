import { useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept, failureReason, isRefusal } from '#/web/failures.ts';
import { onwardPath } from '../rules.ts';
import { refusedErrors, typedErrors, type FieldErrors } from './field-errors.ts';
import { useHydrated, useTypedBefore } from '#/web/hydrated.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';
import { useSession } from './session.tsx';

export function ResetPassword({
  token,
  next,
  asksName,
}: {
  token: string;
  next: string | null;
  /** True if another browser signed up with this address. */
  asksName: boolean;
}) {
  const { site, refresh } = useSession();
  const { toast } = useToast();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ name: '', newPassword: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [busy, setBusy] = useState(false);
  const [expired, setExpired] = useState(false);
  useTypedBefore(form, (before) => setTyped((now) => ({ ...now, ...before })));
  const onward = onwardPath(next);
  const goOn = () => void navigate(onward, { replace: true });

  const showErrors = (found: FieldErrors) => {
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  };

  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const { name, newPassword } = typed;
    const asked: Record<string, string> = asksName ? { name, newPassword } : { newPassword };
    const found = typedErrors(asked, site.passwordMinLength);
    showErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const { signedIn } = await callIdentity('/reset-password', {
        token,
        newPassword,
        ...(asksName ? { name } : {}),
      });
      await refresh();
      toast({
        tone: 'success',
        ...(asksName && signedIn
          ? { title: m.accounts_finished_title() }
          : {
              title: signedIn ? m.accounts_welcome_back_title() : m.accounts_reset_done_title(),
              description: signedIn ? m.accounts_reset_done_text() : m.accounts_reset_sign_in_text(),
            }),
      });
      if (signedIn) goOn();
      else await navigate(`/?auth=1&next=${encodeURIComponent(onward)}`, { replace: true });
    } catch (failure) {
      if (failureReason(failure) === 'link_expired') {
        setExpired(true);
        return;
      }
      toast({
        tone: 'destructive',
        title: m.accounts_error_title(),
        description: identityErrorText(failure, entriesKept),
      });
      if (isRefusal(failure)) showErrors(refusedErrors(failure, site.passwordMinLength));
    } finally {
      setBusy(false);
    }
  };

  const input = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });

  // Visitors without a token request a link here.
  if (expired || token === '') {
    return (
      <LinkExpired
        title={expired ? m.accounts_link_expired_title() : m.accounts_forgot_title()}
        text={expired ? m.accounts_reset_expired_text() : null}
        initialMode="forgot"
        next={onward}
        onSignedIn={goOn}
      />
    );
  }
  return (
    <MailedLinkPage title={asksName ? m.accounts_finish_title() : m.accounts_forgot_title()}>
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={(event) => void onSubmit(event)}
        className="space-y-4"
      >
        {asksName && (
          <>
            <p className="text-quiet">{m.accounts_finish_text()}</p>
            <Field label={m.accounts_full_name()} error={errors.name}>
              <TextInput {...input('name')} autoComplete="name" required />
            </Field>
          </>
        )}
        <Field
          label={asksName ? m.accounts_password() : m.accounts_new_password()}
          hint={m.accounts_password_hint({ min: site.passwordMinLength })}
          error={errors.newPassword}
        >
          <PasswordInput {...input('newPassword')} autoComplete="new-password" required />
        </Field>
        <Button
          type="submit"
          disabled={!hydrated}
          busy={busy}
          busyLabel={m.accounts_submitting()}
          className="w-full"
        >
          {asksName ? m.accounts_finish_submit() : m.accounts_reset_submit()}
        </Button>
      </form>
    </MailedLinkPage>
  );
}
