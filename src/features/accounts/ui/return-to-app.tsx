import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { failureCode, failureReason } from '#/web/failures.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { MailedLinkPage } from './mailed-link.tsx';

/** Requires a click, because email scanners open links. */
export function ReturnToApp({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const [spent, setSpent] = useState(token === '');
  const [failed, setFailed] = useState<string | null>(null);
  const goBack = async () => {
    setBusy(true);
    setFailed(null);
    try {
      const { continueAt } = await callIdentity('/return-to-program', { token });
      window.location.assign(continueAt!);
      setAddress(continueAt!);
    } catch (error) {
      if (failureReason(error) === 'link_expired' || failureCode(error) === 'invalid') setSpent(true);
      else setFailed(identityErrorText(error));
    } finally {
      setBusy(false);
    }
  };
  if (address !== null) return <BackInApp address={address} />;
  if (spent)
    return (
      <MailedLinkPage title={m.accounts_link_expired_title()}>
        <Notice tone="destructive">{m.accounts_app_link_expired_text()}</Notice>
      </MailedLinkPage>
    );
  return (
    <MailedLinkPage title={m.accounts_app_link_title()}>
      {failed === null ? (
        <p className="mb-5 text-quiet">{m.accounts_app_link_text()}</p>
      ) : (
        <Notice tone="destructive" className="mb-5">
          {failed}
        </Notice>
      )}
      <Button className="w-full" busy={busy} onClick={() => void goBack()}>
        {m.accounts_app_link_action()}
      </Button>
    </MailedLinkPage>
  );
}

/** Stays visible if the browser doesn't open the app; some do so only after a click. */
export function BackInApp({ address }: { address: string }) {
  return (
    <MailedLinkPage title={m.accounts_app_link_title()}>
      <p className="mb-5 text-quiet">{m.accounts_app_link_opened_text()}</p>
      <Button className="w-full" onClick={() => window.location.assign(address)}>
        {m.accounts_app_link_action()}
      </Button>
    </MailedLinkPage>
  );
}
