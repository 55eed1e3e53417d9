import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { failureCode, failureReason } from '#/web/failures.ts';
import { safeReturnPath } from '../rules.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';

export function UnlockSignIn({ token }: { token: string }) {
  const navigate = useNavigate();
  const [outcome, setOutcome] = useState<'working' | 'unlocked' | 'expired' | { failed: string }>('working');
  const tried = useRef(false);

  const unlock = async () => {
    // Truncated link; skip the request.
    if (token === '') return setOutcome('expired');
    setOutcome('working');
    try {
      await callIdentity('/unlock', { token });
      setOutcome('unlocked');
    } catch (error) {
      const cutShort = failureCode(error) === 'invalid';
      const spent = failureReason(error) === 'link_expired';
      setOutcome(spent || cutShort ? 'expired' : { failed: identityErrorText(error) });
    }
  };
  useEffect(() => {
    // Works once; Strict Mode runs effects twice.
    if (tried.current) return;
    tried.current = true;
    void unlock();
  });

  if (outcome === 'unlocked' || outcome === 'expired') {
    const unlocked = outcome === 'unlocked';
    return (
      <LinkExpired
        title={unlocked ? m.accounts_unlocked_title() : m.accounts_link_expired_title()}
        text={unlocked ? m.accounts_unlocked_text() : m.accounts_unlock_expired_text()}
        tone={unlocked ? 'success' : 'destructive'}
        initialMode="sign-in"
        next={safeReturnPath(null)}
        onSignedIn={() => void navigate(safeReturnPath(null), { replace: true })}
      />
    );
  }
  return (
    <MailedLinkPage title={m.accounts_unlock_page_title()}>
      {outcome === 'working' ? (
        <Spinner label={m.accounts_unlocking()} />
      ) : (
        <Notice
          tone="destructive"
          action={
            <Button variant="secondary" size="sm" onClick={() => void unlock()}>
              {m.web_try_again()}
            </Button>
          }
        >
          {outcome.failed}
        </Notice>
      )}
    </MailedLinkPage>
  );
}
