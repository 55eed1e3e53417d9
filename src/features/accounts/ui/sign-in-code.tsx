import { useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import { codeMinutes, isEmailedCode, safeReturnPath } from '../rules.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';
import type { Step } from './second-step.tsx';
import { useSession } from './session.tsx';

const SecondStep = lazyPart(async () => (await import('./second-step.tsx')).SecondStep);

type Outcome = 'elsewhere' | 'old' | { failed: string } | { step: Step };

/** Requires a click, because email scanners open links. In another browser, shows the code to type. */
export function SignInCode({ code, next: path }: { code: string; next: string | null }) {
  const { refresh } = useSession();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(isEmailedCode(code) ? null : 'old');
  const next = safeReturnPath(path);
  const goOn = () => void navigate(next, { replace: true });

  const welcome = async () => {
    await refresh();
    toast.done(m.accounts_welcome_back_title(), m.accounts_welcome_back_text());
    goOn();
  };

  const enter = async () => {
    setBusy(true);
    setOutcome(null);
    try {
      const { secondStep } = await callIdentity('/sign-in/code', { emailCode: code });
      if (!secondStep) return await welcome();
      const send: Step['send'] = (proof) => callIdentity('/sign-in/code', { emailCode: code, ...proof });
      setOutcome({ step: { ...secondStep, send } });
    } catch (error) {
      const reason = failureReason(error);
      if (reason === 'code_expired') setOutcome('elsewhere');
      else if (reason === 'wrong_code' || reason === 'code_spent') setOutcome('old');
      else setOutcome({ failed: identityErrorText(error) });
    } finally {
      setBusy(false);
    }
  };

  if (outcome === 'old')
    return (
      <LinkExpired
        title={m.accounts_link_expired_title()}
        text={m.accounts_code_old_text()}
        initialMode="code"
        next={next}
        onSignedIn={goOn}
      />
    );
  if (outcome === 'elsewhere')
    return (
      <MailedLinkPage title={m.accounts_code_elsewhere_title()}>
        <p className="mb-3 text-center font-serif text-4xl tracking-widest tabular-nums" role="status">
          {code}
        </p>
        <p className="mb-5 text-quiet">{m.accounts_code_elsewhere_text({ minutes: codeMinutes })}</p>
        <div className="flex justify-center">
          <ButtonLink to={`/?auth=1&next=${encodeURIComponent(next)}`} variant="quiet" size="sm">
            {m.accounts_code_elsewhere_here()}
          </ButtonLink>
        </div>
      </MailedLinkPage>
    );
  return (
    <MailedLinkPage title={m.accounts_link_title()}>
      {outcome && 'step' in outcome ? (
        <SecondStep {...outcome.step} onSignedIn={welcome} onBack={() => void navigate('/?auth=1')} />
      ) : (
        <>
          <p className="mb-5 text-quiet">{m.accounts_code_page_text()}</p>
          {outcome && (
            <Notice tone="destructive" className="mb-5">
              {outcome.failed}
            </Notice>
          )}
          <Button
            className="w-full"
            busy={busy}
            busyLabel={m.accounts_submitting()}
            onClick={() => void enter()}
          >
            {m.accounts_sign_in()}
          </Button>
        </>
      )}
    </MailedLinkPage>
  );
}
