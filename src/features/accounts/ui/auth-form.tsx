import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';
import { failureReason, entriesKept } from '#/web/failures.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AuthFields, type AuthMode, type AuthTyped } from './auth-fields.tsx';
import { callIdentity, identityErrorText } from './identity-call.ts';
import type { AwaitedCode } from './enter-code.tsx';
import type { Step } from './second-step.tsx';
import { useSession } from './session.tsx';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';

export type { AuthMode };

const EnterCode = lazyPart(async () => (await import('./enter-code.tsx')).EnterCode);
const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);

const mailedTexts = {
  verify: { title: m.accounts_check_mail_title, text: m.accounts_check_mail_text },
  reset: { title: m.accounts_forgot_sent_title, text: m.accounts_forgot_sent_text },
  link: { title: m.accounts_forgot_sent_title, text: m.accounts_link_sent_text },
};

function currentPath(): string {
  return `${window.location.pathname}${window.location.search}`;
}

/** Typed values survive mode changes. */
export function AuthForm({
  mode,
  onMode,
  onSignedIn,
  next = currentPath,
}: {
  mode: AuthMode;
  onMode: (mode: AuthMode) => void;
  onSignedIn?: () => void;
  next?: () => string;
}) {
  const { refresh } = useSession();
  const [typed, setTyped] = useState<AuthTyped>({ name: '', email: '', password: '', phone: '' });
  const [changed, setChanged] = useState(false);
  const [mailed, setMailed] = useState<keyof typeof mailedTexts | null>(null);
  const [awaited, setAwaited] = useState<AwaitedCode>();
  const [step, setStep] = useState<Step>();
  const address = typed.email.trim();

  const welcome = async (signedIn: boolean) => {
    if (signedIn) await refresh();
    if (mode === 'sign-up') toast.done(m.accounts_welcome_title(), m.accounts_welcome_text());
    else toast.done(m.accounts_welcome_back_title(), m.accounts_welcome_back_text());
    if (signedIn) onSignedIn?.();
    else setMailed('verify');
  };

  const send = async (values: AuthTyped) => {
    setTyped(values);
    if (mode !== 'sign-in' && mode !== 'sign-up') {
      const sent = await requestCodeOrLink(mode, values, next);
      return 'mailed' in sent ? setMailed(sent.mailed) : setAwaited(sent.awaited);
    }
    const { name, password } = values;
    const email = values.email.trim();
    try {
      const { secondStep, signedIn } =
        mode === 'sign-up'
          ? await callIdentity('/sign-up/email', { name, email, password, next: next() })
          : await callIdentity('/sign-in/email', { email, password });
      if (secondStep)
        setStep({
          ...secondStep,
          send: (proof) => callIdentity('/sign-in/email', { email, password, ...proof }),
        });
      else await welcome(signedIn);
    } catch (error) {
      if (failureReason(error) === 'email_unverified') setMailed('verify');
      throw error;
    }
  };

  if (step) {
    return <SecondStep {...step} onSignedIn={() => welcome(true)} onBack={() => setStep(undefined)} />;
  }
  if (awaited) {
    return (
      <EnterCode
        {...awaited}
        next={next}
        onAnswer={async ({ secondStep }, emailCode) => {
          if (secondStep)
            setStep({
              ...secondStep,
              send: (proof) => callIdentity('/sign-in/code', { emailCode, ...proof }),
            });
          else await welcome(true);
        }}
        onBack={() => {
          setAwaited(undefined);
          onMode('sign-in');
        }}
      />
    );
  }
  if (mailed) {
    const { title, text } = mailedTexts[mailed];
    return (
      <LinkMailed
        title={title()}
        text={text({ email: address })}
        onBack={() => {
          setMailed(null);
          onMode('sign-in');
        }}
        again={mailed === 'verify' && <SendAgain email={address} next={next} />}
      />
    );
  }
  return (
    // Errors of one mode don't show in another.
    <AuthFields
      key={mode}
      mode={mode}
      values={typed}
      changed={changed}
      onMode={(to, values) => {
        setTyped(values);
        setChanged(true);
        onMode(to);
      }}
      next={next}
      send={send}
      onStep={setStep}
      onSignedIn={() => welcome(true)}
    />
  );
}

async function requestCodeOrLink(
  mode: Exclude<AuthMode, 'sign-in' | 'sign-up'>,
  values: AuthTyped,
  next: () => string,
): Promise<{ mailed: 'reset' | 'link' } | { awaited: AwaitedCode }> {
  const email = values.email.trim();
  if (mode === 'forgot') {
    await callIdentity('/request-password-reset', { email, next: next() });
    return { mailed: 'reset' };
  }
  if (mode === 'code') {
    await callIdentity('/request-sign-in-code', { email, next: next() });
    return { awaited: { by: 'email', to: email } };
  }
  if (mode === 'text') {
    const phone = values.phone.trim();
    await callIdentity('/request-texted-code', { phone });
    return { awaited: { by: 'text', to: phone } };
  }
  await callIdentity('/request-sign-in-link', { email });
  return { mailed: 'link' };
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
        <Button variant="quiet" size="sm" onClick={onBack}>
          {m.accounts_back_to_sign_in()}
        </Button>
      </div>
    </div>
  );
}

function SendAgain({ email, next }: { email: string; next: () => string }) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await callIdentity('/send-verification-email', { email, next: next() });
      toast.done(m.accounts_check_mail_sent());
    } catch (error) {
      toast.failed(m.accounts_error_title(), identityErrorText(error, entriesKept));
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
