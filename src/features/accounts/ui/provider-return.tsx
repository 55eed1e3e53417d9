import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason, isRefusal } from '#/web/failures.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { IdentityAnswer } from '../identity/contract.ts';
import { purposeOf } from '../openid/rules.ts';
import { safeReturnPath } from '../rules.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';
import { BackInApp } from './return-to-app.tsx';
import type { Step } from './second-step.tsx';
import { useSession } from './session.tsx';

const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);

/** The account for the settings to connect, in the history entry's state. */
export interface ReturnState {
  providerAnswer: ProviderAnswer;
}

interface ProviderAnswer {
  provider: string;
  /** The query that the provider sent the browser back with. */
  answer: string;
}

type Outcome =
  | { failed: string; next: string }
  | { address: string }
  | { step: NonNullable<IdentityAnswer['secondStep']> };

/** Where providers send people back to. */
export function ProviderReturn({ provider, answer }: ProviderAnswer) {
  const { refresh } = useSession();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const last = useRef<IdentityAnswer>({ signedIn: false });
  const tried = useRef(false);

  const send = async (proof: Parameters<Step['send']>[0] | object = {}) => {
    last.current = await callIdentity('/sign-in/provider', { provider, answer, ...proof });
    return last.current;
  };
  const welcome = async () => {
    const { next, isNew } = last.current;
    await refresh();
    if (isNew) toast.done(m.accounts_welcome_title(), m.accounts_provider_welcome_text());
    else toast.done(m.accounts_welcome_back_title(), m.accounts_welcome_back_text());
    await navigate(safeReturnPath(next), { replace: true });
  };
  const enter = async () => {
    if (purposeOf(new URLSearchParams(answer).get('state') ?? '') === 'connect') {
      const state: ReturnState = { providerAnswer: { provider, answer } };
      return navigate('/profile?tab=settings', { replace: true, state });
    }
    try {
      const { secondStep, continueAt } = await send();
      if (continueAt !== undefined) {
        window.location.assign(continueAt);
        setOutcome({ address: continueAt });
      } else if (secondStep) setOutcome({ step: secondStep });
      else await welcome();
    } catch (error) {
      const next = isRefusal(error) && typeof error.data.next === 'string' ? error.data.next : null;
      setOutcome({
        failed: identityErrorText(error),
        next:
          failureReason(error) === 'provider_account_exists' ? '/profile?tab=settings' : safeReturnPath(next),
      });
    }
  };
  useEffect(() => {
    // Works once, but Strict Mode runs effects twice.
    if (tried.current) return;
    tried.current = true;
    void enter();
  });

  if (outcome === null)
    return (
      <MailedLinkPage title={m.accounts_sign_in_title()}>
        <Spinner label={m.accounts_provider_returning()} />
      </MailedLinkPage>
    );
  if ('address' in outcome) return <BackInApp address={outcome.address} />;
  if ('step' in outcome)
    return (
      <MailedLinkPage title={m.accounts_sign_in_title()}>
        <SecondStep
          {...outcome.step}
          send={send}
          onSignedIn={welcome}
          onBack={() => void navigate('/?auth=1')}
        />
      </MailedLinkPage>
    );
  return (
    <LinkExpired
      title={m.accounts_sign_in_title()}
      text={outcome.failed}
      initialMode="sign-in"
      next={outcome.next}
      onSignedIn={() => void navigate(outcome.next, { replace: true })}
    />
  );
}
