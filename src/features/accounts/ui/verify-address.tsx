import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureReason } from '#/web/failures.ts';
import { safeReturnPath, resetPasswordPath } from '../rules.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';
import { useSession } from './session.tsx';

export function VerifyAddress({ token, next }: { token: string; next: string | null }) {
  const { viewer, refresh } = useSession();
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<'working' | 'verified' | 'expired' | { failed: string }>('working');
  const tried = useRef(false);
  const onward = safeReturnPath(next);
  const goOn = () => void navigate(onward, { replace: true });

  const expire = () => {
    if (viewer) goOn();
    else setOutcome('expired');
  };

  const verify = async () => {
    // Truncated link; skip the request.
    if (token === '') return expire();
    setOutcome('working');
    try {
      const { signedIn, resetToken, asksName } = await callIdentity('/verify-email', { token });
      if (resetToken !== undefined) {
        await navigate(resetPasswordPath(resetToken, { next: onward, asksName: asksName === true }), {
          replace: true,
        });
        return;
      }
      if (signedIn) {
        await refresh();
        toast.done(m.accounts_welcome_back_title(), m.accounts_welcome_back_text());
      }
      if (signedIn || viewer) goOn();
      else setOutcome('verified');
    } catch (error) {
      if (failureReason(error) === 'link_expired') expire();
      else setOutcome({ failed: identityErrorText(error) });
    }
  };
  useEffect(() => {
    // Works once; Strict Mode runs effects twice.
    if (tried.current) return;
    tried.current = true;
    void verify();
  });

  if (outcome === 'working') {
    return (
      <MailedLinkPage title={m.accounts_verify_title()}>
        <Spinner label={m.accounts_verifying()} />
      </MailedLinkPage>
    );
  }
  if (outcome === 'verified' || outcome === 'expired') {
    const verified = outcome === 'verified';
    return (
      <LinkExpired
        title={verified ? m.accounts_verified_title() : m.accounts_link_expired_title()}
        text={verified ? m.accounts_verified_text() : m.accounts_verify_expired_text()}
        tone={verified ? 'success' : 'destructive'}
        initialMode="sign-in"
        next={onward}
        onSignedIn={goOn}
      />
    );
  }
  return (
    <MailedLinkPage title={m.accounts_verify_title()}>
      <Notice
        tone="destructive"
        action={
          <Button variant="secondary" size="sm" onClick={() => void verify()}>
            {m.web_try_again()}
          </Button>
        }
      >
        {outcome.failed}
      </Notice>
    </MailedLinkPage>
  );
}
