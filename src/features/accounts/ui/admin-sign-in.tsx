import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept, failureReason } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { typedErrors } from './field-errors.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { useIdentityForm } from './identity-form.ts';
import type { Step } from './second-step.tsx';
import { useSession } from './session.tsx';

const PasskeySignIn = lazyPart(
  async () => (await import('./passkey-sign-in.tsx')).PasskeySignIn,
  () => <div className="h-11" />,
);
const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);

export function AdminSignIn({ next }: { next: string }) {
  const { refresh, site } = useSession();
  const hydrated = useHydrated();
  const [step, setStep] = useState<Step>();
  const welcome = async () => {
    const { api } = await import('#/web/api.tsx');
    const { state } = await api.administration.portal.call();
    await refresh();
    if (state === 'open') toast.done(m.admin_welcome_title(), m.admin_welcome_text());
  };
  const form = useIdentityForm({
    values: { email: '', password: '' },
    check: (typed) => typedErrors(typed),
    failedTitle: m.admin_sign_in_failed,
    failureText: (error) =>
      failureReason(error) === 'wrong_credentials'
        ? m.admin_invalid_credentials()
        : identityErrorText(error, entriesKept),
    save: async ({ email, password }) => {
      const typed = { email: email.trim(), password };
      const { secondStep } = await callIdentity('/sign-in/email', typed);
      if (secondStep)
        setStep({ ...secondStep, send: (proof) => callIdentity('/sign-in/email', { ...typed, ...proof }) });
      else await welcome();
    },
  });
  const { input, errorOf } = form;

  const query = `auth=1&next=${encodeURIComponent(next)}`;
  return (
    <Card className="mx-auto max-w-md">
      <div className="mb-5 text-center">
        <span className="mb-3 inline-grid size-12 place-items-center rounded-full bg-primary-soft text-primary">
          <ShieldCheck />
        </span>
        <h1 className="text-2xl">{m.admin_sign_in_title()}</h1>
        <p className="mt-2 text-quiet">{m.admin_sign_in_restricted()}</p>
      </div>
      {step ? (
        <SecondStep {...step} onSignedIn={welcome} onBack={() => setStep(undefined)} />
      ) : (
        <>
          <form {...form.props} method="post" className="space-y-4">
            <Field label={m.accounts_email()} error={errorOf('email')}>
              <TextInput
                {...input('email')}
                type="email"
                autoComplete={site.passkeys ? 'username webauthn' : 'username'}
                autoCapitalize="none"
                required
              />
            </Field>
            <Field label={m.accounts_password()} error={errorOf('password')}>
              <PasswordInput {...input('password')} autoComplete="current-password" required />
            </Field>
            <Button
              type="submit"
              disabled={!hydrated}
              busy={form.busy}
              busyLabel={m.admin_authenticating()}
              className="w-full"
            >
              {m.accounts_sign_in()}
            </Button>
            {hydrated && site.passkeys && <PasskeySignIn onSignedIn={welcome} />}
          </form>
          <div className="mt-3 flex flex-col items-center">
            <ButtonLink to={`/?${query}`} variant="quiet" size="sm">
              {m.accounts_forgot_link()}
            </ButtonLink>
            <ButtonLink to={`/?${query}&mode=sign-up`} variant="quiet" size="sm">
              {m.accounts_to_sign_up()}
            </ButtonLink>
          </div>
        </>
      )}
    </Card>
  );
}
