import { useEffect, useRef, useState, type SubmitEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { entriesKept, isRefusal } from '#/web/failures.ts';
import type { IdentityAnswer } from '../identity/contract.ts';
import { refusedErrors, typedErrors, type FieldErrors } from './field-errors.ts';
import { useHydrated, useTypedBefore } from '#/web/hydrated.ts';
import { lazyPart } from '#/web/lazy-part.ts';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { useSession } from './session.tsx';

const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);

export type AuthMode = 'sign-in' | 'sign-up' | 'forgot' | 'link';

const mailedTexts = {
  verify: { title: m.accounts_check_mail_title, text: m.accounts_check_mail_text },
  reset: { title: m.accounts_forgot_sent_title, text: m.accounts_forgot_sent_text },
  link: { title: m.accounts_forgot_sent_title, text: m.accounts_link_sent_text },
};

function here(): string {
  return `${window.location.pathname}${window.location.search}`;
}

/** Typed values survive mode changes. */
export function AuthForm({
  mode,
  onMode,
  onSignedIn,
  next = here,
}: {
  mode: AuthMode;
  onMode: (mode: AuthMode) => void;
  onSignedIn?: () => void;
  next?: () => string;
}) {
  const { site, refresh } = useSession();
  const { toast } = useToast();
  const hydrated = useHydrated();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ name: '', email: '', password: '' });
  const [found, setFound] = useState<{ mode: AuthMode; errors: FieldErrors }>({ mode, errors: {} });
  const errors = found.mode === mode ? found.errors : {};
  const setErrors = (wrong: FieldErrors) => setFound({ mode, errors: wrong });
  const refusal = useRef<{ mode: AuthMode; dismiss: () => void } | null>(null);
  useEffect(() => {
    if (refusal.current?.mode !== mode) refusal.current?.dismiss();
  }, [mode]);
  const [busy, setBusy] = useState(false);
  const [mailed, setMailed] = useState<keyof typeof mailedTexts | null>(null);
  const [step, setStep] = useState<IdentityAnswer['secondStep']>();
  useTypedBefore(form, (before) => setTyped((now) => ({ ...now, ...before })));

  const showErrors = (wrong: FieldErrors) => {
    flushSync(() => setErrors(wrong));
    form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus();
  };

  const submit = async () => {
    const email = typed.email.trim();
    if (mode === 'forgot') {
      await callIdentity('/request-password-reset', { email, next: next() });
      setMailed('reset');
      return;
    }
    if (mode === 'link') {
      await callIdentity('/request-sign-in-link', { email });
      setMailed('link');
      return;
    }
    const { password } = typed;
    const answer =
      mode === 'sign-up'
        ? await callIdentity('/sign-up/email', { name: typed.name, email, password, next: next() })
        : await callIdentity('/sign-in/email', { email, password });
    if (answer.secondStep) return setStep(answer.secondStep);
    await welcome(answer.signedIn);
  };

  const welcome = async (signedIn: boolean) => {
    if (signedIn) await refresh();
    toast(
      mode === 'sign-up'
        ? { tone: 'success', title: m.accounts_welcome_title(), description: m.accounts_welcome_text() }
        : {
            tone: 'success',
            title: m.accounts_welcome_back_title(),
            description: m.accounts_welcome_back_text(),
          },
    );
    if (signedIn) onSignedIn?.();
    else setMailed('verify');
  };

  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (busy) return;
    const { email, password } = typed;
    const asked: Record<string, string> = {
      'sign-in': { email, password },
      'sign-up': typed,
      forgot: { email },
      link: { email },
    }[mode];
    // Existing passwords may predate the current minimum.
    const wrong = typedErrors(asked, mode === 'sign-up' ? site.passwordMinLength : 1);
    if (Object.keys(wrong).length > 0) {
      showErrors(wrong);
      return;
    }
    setErrors({});
    refusal.current?.dismiss();
    setBusy(true);
    try {
      await submit();
    } catch (error) {
      const dismiss = toast({
        tone: 'destructive',
        title: m.accounts_error_title(),
        description: identityErrorText(error, entriesKept),
      });
      refusal.current = { mode, dismiss };
      if (isRefusal(error)) {
        showErrors(refusedErrors(error, site.passwordMinLength));
        if (error.reason === 'email_unverified') setMailed('verify');
      }
    } finally {
      setBusy(false);
    }
  };

  const takesPassword = mode === 'sign-in' || mode === 'sign-up';
  const input = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });

  if (step) {
    return (
      <LazyBoundary>
        <SecondStep
          email={typed.email.trim()}
          password={typed.password}
          {...step}
          onSignedIn={() => welcome(true)}
          onBack={() => setStep(undefined)}
        />
      </LazyBoundary>
    );
  }
  if (mailed) {
    const email = typed.email.trim();
    const { title, text } = mailedTexts[mailed];
    return (
      <LinkMailed
        title={title()}
        text={text({ email })}
        onBack={() => {
          setMailed(null);
          onMode('sign-in');
        }}
        again={mailed === 'verify' && <SendAgain email={email} next={next} />}
      />
    );
  }
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => void onSubmit(event)}
      className="space-y-4"
    >
      {mode === 'forgot' && <p className="text-quiet">{m.accounts_forgot_text()}</p>}
      {mode === 'link' && <p className="text-quiet">{m.accounts_link_text()}</p>}
      {mode === 'sign-up' && (
        <Field label={m.accounts_full_name()} error={errors.name}>
          <TextInput {...input('name')} autoComplete="name" required />
        </Field>
      )}
      <Field label={m.accounts_email()} error={errors.email}>
        <TextInput
          {...input('email')}
          type="email"
          autoComplete={mode === 'sign-up' ? 'email' : 'username'}
          autoCapitalize="none"
          required
        />
      </Field>
      {takesPassword && (
        <Field
          label={m.accounts_password()}
          error={errors.password}
          hint={mode === 'sign-up' ? m.accounts_password_hint({ min: site.passwordMinLength }) : undefined}
        >
          <PasswordInput
            {...input('password')}
            autoComplete={mode === 'sign-up' ? 'new-password' : 'current-password'}
            required
          />
        </Field>
      )}
      <Button
        type="submit"
        disabled={!hydrated}
        busy={busy}
        busyLabel={m.accounts_submitting()}
        className="w-full"
      >
        {mode === 'sign-in' && m.accounts_sign_in()}
        {mode === 'sign-up' && m.accounts_sign_up()}
        {mode === 'forgot' && m.accounts_forgot_submit()}
        {mode === 'link' && m.accounts_link_submit()}
      </Button>
      <div className="flex flex-col items-center">
        {mode === 'sign-in' && (
          <>
            <ModeLink onClick={() => onMode('forgot')}>{m.accounts_forgot_link()}</ModeLink>
            <ModeLink onClick={() => onMode('link')}>{m.accounts_link_link()}</ModeLink>
            <ModeLink onClick={() => onMode('sign-up')}>{m.accounts_to_sign_up()}</ModeLink>
          </>
        )}
        {mode === 'sign-up' && (
          <ModeLink onClick={() => onMode('sign-in')}>{m.accounts_to_sign_in()}</ModeLink>
        )}
        {(mode === 'forgot' || mode === 'link') && (
          <ModeLink onClick={() => onMode('sign-in')}>{m.accounts_back_to_sign_in()}</ModeLink>
        )}
      </div>
      {site.demo && takesPassword && (
        <p className="text-center text-sm text-quiet">
          {m.accounts_demo_hint({ min: site.passwordMinLength })}
        </p>
      )}
    </form>
  );
}

function ModeLink({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Button variant="quiet" size="sm" onClick={onClick}>
      {children}
    </Button>
  );
}

function LinkMailed({
  title,
  text,
  again,
  onBack,
}: {
  title: string;
  text: string;
  again: ReactNode;
  onBack: () => void;
}) {
  return (
    <div className="space-y-4">
      <Notice tone="success" title={title}>
        {text}
      </Notice>
      <div className="flex flex-col items-center">
        {again}
        <ModeLink onClick={onBack}>{m.accounts_back_to_sign_in()}</ModeLink>
      </div>
    </div>
  );
}

function SendAgain({ email, next }: { email: string; next: () => string }) {
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await callIdentity('/send-verification-email', { email, next: next() });
      toast({ tone: 'success', title: m.accounts_check_mail_sent() });
    } catch (error) {
      toast({
        tone: 'destructive',
        title: m.accounts_error_title(),
        description: identityErrorText(error, entriesKept),
      });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="quiet" size="sm" busy={busy} onClick={() => void send()}>
      {m.accounts_check_mail_again()}
    </Button>
  );
}
