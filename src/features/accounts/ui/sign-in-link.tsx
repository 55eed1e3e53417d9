import { useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { resetPasswordPath } from '../rules.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { LinkExpired, MailedLinkPage } from './mailed-link.tsx';
import { useSession } from './session.tsx';

/** Requires a click, because email scanners open links. */
export function SignInLink({ token }: { token: string }) {
  const { refresh } = useSession();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<'expired' | 'password' | { failed: string } | null>(null);
  const goOn = () => void navigate('/home', { replace: true });

  const enter = async () => {
    setBusy(true);
    setOutcome(null);
    try {
      const { signedIn, resetToken } = await callIdentity('/sign-in/link', { token });
      if (resetToken !== undefined) {
        toast({ title: m.booking_link_password_first(), description: m.booking_link_password_first_text() });
        await navigate(resetPasswordPath(resetToken), { replace: true });
        return;
      }
      if (!signedIn) return setOutcome('password');
      await refresh();
      toast.done(m.accounts_welcome_back_title(), m.accounts_welcome_back_text());
      goOn();
    } catch (error) {
      const spent = isRefusal(error) && (error.reason === 'link_expired' || error.code === 'invalid');
      setOutcome(spent ? 'expired' : { failed: identityErrorText(error) });
    } finally {
      setBusy(false);
    }
  };

  // Visitors without a token request a link here.
  if (token === '' || outcome === 'expired')
    return (
      <LinkExpired
        key="link"
        title={token === '' ? m.accounts_link_title() : m.accounts_link_expired_title()}
        text={token === '' ? null : m.accounts_link_spent_text()}
        initialMode="link"
        next="/home"
        onSignedIn={goOn}
      />
    );
  if (outcome === 'password')
    return (
      <LinkExpired
        key="password"
        title={m.accounts_link_title()}
        text={m.accounts_link_password_text()}
        initialMode="sign-in"
        next="/home"
        onSignedIn={goOn}
      />
    );
  return (
    <MailedLinkPage title={m.accounts_link_title()}>
      <p className="mb-5 text-quiet">{m.accounts_link_press_text()}</p>
      {outcome && (
        <Notice tone="destructive" className="mb-5">
          {outcome.failed}
        </Notice>
      )}
      <Button className="w-full" busy={busy} busyLabel={m.accounts_submitting()} onClick={() => void enter()}>
        {m.accounts_sign_in()}
      </Button>
    </MailedLinkPage>
  );
}
