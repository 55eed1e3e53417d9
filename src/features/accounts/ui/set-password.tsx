import { useState } from 'react';
import { entriesKept } from '#/web/failures.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';

export function SetPassword({ email }: { email: string }) {
  const hydrated = useHydrated();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await callIdentity('/request-password-reset', {
        email,
        next: `${window.location.pathname}${window.location.search}`,
      });
      setSent(true);
    } catch (error) {
      toast.failed(m.accounts_error_title(), identityErrorText(error, entriesKept));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid justify-items-start gap-3">
      {sent && (
        <Notice
          tone="success"
          title={m.accounts_password_missing_sent_title()}
          className="min-w-0 wrap-anywhere"
        >
          {m.accounts_password_missing_sent({ email })}
        </Notice>
      )}
      <Button variant="secondary" busy={busy} disabled={!hydrated} onClick={() => void send()}>
        {sent ? m.accounts_check_mail_again() : m.accounts_password_missing_set()}
      </Button>
    </div>
  );
}
