import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { entriesKept } from '#/web/failures.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';

export function LinkMailed({
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

export function SendAgain({ email, next }: { email: string; next: () => string }) {
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
