import { ShieldCheck } from 'lucide-react';
import { useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept, failureReason, isRefusal } from '#/web/failures.ts';
import { useHydrated, useTypedBefore } from '#/web/hydrated.ts';
import { lazyPart } from '#/web/lazy-part.ts';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import type { administrationContract } from '../administration/contract.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import { refusedErrors, typedErrors, type FieldErrors } from './field-errors.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { useSession } from './session.tsx';

const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);

export function AdminSignIn({ next }: { next: string }) {
  const { site, refresh } = useSession();
  const { toast } = useToast();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ email: '', password: '' });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<IdentityAnswer['secondStep']>();
  const dismissRefusal = useRef<() => void>(undefined);
  useTypedBefore(form, (before) => setTyped((now) => ({ ...now, ...before })));

  const showErrors = (found: FieldErrors) => {
    flushSync(() => setErrors(found));
    form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const found = typedErrors(typed, 1);
    if (Object.keys(found).length > 0) return showErrors(found);
    setErrors({});
    dismissRefusal.current?.();
    setBusy(true);
    try {
      const email = typed.email.trim();
      const { secondStep } = await callIdentity('/sign-in/email', { email, password: typed.password });
      if (secondStep) setStep(secondStep);
      else await welcome();
    } catch (error) {
      const wrong = failureReason(error) === 'wrong_credentials';
      dismissRefusal.current = toast({
        tone: 'destructive',
        title: m.admin_sign_in_failed(),
        description: wrong ? m.admin_invalid_credentials() : identityErrorText(error, entriesKept),
      });
      if (isRefusal(error)) showErrors(refusedErrors(error, site.passwordMinLength));
    } finally {
      setBusy(false);
    }
  };
  const welcome = async () => {
    const { createApi } = await import('#/web/api.tsx');
    const portal = createApi<{ administration: typeof administrationContract }>().administration.portal;
    const { state } = await portal.call();
    await refresh();
    if (state === 'open')
      toast({ tone: 'success', title: m.admin_welcome_title(), description: m.admin_welcome_text() });
  };

  const input = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
    required: true,
  });
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
        <LazyBoundary>
          <SecondStep
            email={typed.email.trim()}
            password={typed.password}
            {...step}
            onSignedIn={welcome}
            onBack={() => setStep(undefined)}
          />
        </LazyBoundary>
      ) : (
        <>
          <form
            ref={form}
            method="post"
            noValidate
            className="space-y-4"
            onSubmit={(event) => void submit(event)}
          >
            <Field label={m.accounts_email()} error={errors.email}>
              <TextInput {...input('email')} type="email" autoComplete="username" autoCapitalize="none" />
            </Field>
            <Field label={m.accounts_password()} error={errors.password}>
              <PasswordInput {...input('password')} autoComplete="current-password" />
            </Field>
            <Button
              type="submit"
              disabled={!hydrated}
              busy={busy}
              busyLabel={m.admin_authenticating()}
              className="w-full"
            >
              {m.accounts_sign_in()}
            </Button>
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
