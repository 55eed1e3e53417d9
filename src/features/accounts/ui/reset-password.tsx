import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { KnownUsername } from '#/web/components/known-username.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { safeReturnPath } from '../rules.ts';
import { typedErrors } from './field-errors.ts';
import { callIdentity } from './identity-call.ts';
import { useIdentityForm } from './identity-form.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';
import { emitSessionEvent } from './session-events.ts';
import { useSession } from './session.tsx';

export function ResetPassword({
  token,
  next,
  asksName,
}: {
  token: string;
  next: string | null;
  /** Another browser signed up with this address. */
  asksName: boolean;
}) {
  const { site, refresh } = useSession();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const [expired, setExpired] = useState(false);
  const [email, setEmail] = useState<string>();
  const onward = safeReturnPath(next);
  const goOn = () => void navigate(onward, { replace: true });
  const welcome = async (signedIn: boolean) => {
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
  };
  const form = useIdentityForm({
    values: { name: '', newPassword: '' },
    check: ({ name, newPassword }) =>
      typedErrors(asksName ? { name, newPassword } : { newPassword }, site.passwordMinLength),
    save: async ({ name, newPassword }) => {
      try {
        const { signedIn } = await callIdentity('/reset-password', {
          token,
          newPassword,
          ...(asksName ? { name } : {}),
        });
        await welcome(signedIn);
      } catch (error) {
        if (failureReason(error) !== 'link_expired') throw error;
        setExpired(true);
      }
    },
  });
  const { input, errorOf } = form;
  useEffect(() => {
    if (token === '') return;
    const check = async () => {
      try {
        const link = await callIdentity('/check-reset-link', { token });
        setEmail(link.email);
        if (!asksName) emitSessionEvent('PASSWORD_RECOVERY');
      } catch (error) {
        if (failureReason(error) === 'link_expired') setExpired(true);
      }
    };
    void check();
  }, [token, asksName]);

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
      <form {...form.props} method="post" className="space-y-4">
        <KnownUsername email={email} />
        {asksName && (
          <>
            <p className="text-quiet">{m.accounts_finish_text()}</p>
            <Field label={m.accounts_full_name()} error={errorOf('name')}>
              <TextInput {...input('name')} autoComplete="name" required />
            </Field>
          </>
        )}
        <Field
          label={asksName ? m.accounts_password() : m.accounts_new_password()}
          hint={m.accounts_password_hint({ min: site.passwordMinLength })}
          error={errorOf('newPassword')}
        >
          <PasswordInput {...input('newPassword')} autoComplete="new-password" required />
        </Field>
        {!asksName && (
          <div className="grid gap-1 text-sm text-quiet">
            <p>{m.accounts_reset_effects()}</p>
            <p>{m.words_reset_warning()}</p>
          </div>
        )}
        <Button
          type="submit"
          disabled={!hydrated}
          busy={form.busy}
          busyLabel={m.accounts_submitting()}
          className="w-full"
        >
          {asksName ? m.accounts_finish_submit() : m.accounts_reset_submit()}
        </Button>
      </form>
    </MailedLinkPage>
  );
}
