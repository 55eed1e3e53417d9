import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { failureReason, failureText } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { deadlineText, longDateText } from '#/web/times.ts';
import type { AddressChange } from '../address-change/contract.ts';
import { accountFailures } from './failure-text.ts';
import { MailedLinkPage } from './mailed-link.tsx';
import { useSession } from './session.tsx';

/** Null `change` means an expired link. */
export function AddressChangePage({ token, change }: { token: string; change: AddressChange | null }) {
  const api = useApi();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const { refresh } = useSession();
  const [confirmed, setConfirmed] = useState(false);
  const undo = useMutation({
    ...api.addressChange.undo.mutationOptions(),
    onSuccess: async ({ resetToken }) => {
      await refresh();
      await navigate(`/reset-password?${new URLSearchParams({ token: resetToken })}`, { replace: true });
    },
  });
  const confirm = useMutation({
    ...api.addressChange.confirm.mutationOptions(),
    onSuccess: () => setConfirmed(true),
  });
  const busy = undo.isPending || confirm.isPending;
  const failure = undo.error ?? confirm.error;

  if (confirmed)
    return (
      <MailedLinkPage title={m.address_change_title()}>
        <Notice tone="success" title={m.address_change_confirmed()}>
          {m.address_change_confirmed_text()}
        </Notice>
      </MailedLinkPage>
    );
  if (!change || isGone(failure))
    return (
      <MailedLinkPage title={m.address_change_title()}>
        <Notice title={m.address_change_gone()}>{m.address_change_gone_text()}</Notice>
        <ButtonLink to="/contact" variant="secondary" className="mt-5 w-full">
          {m.address_change_contact()}
        </ButtonLink>
      </MailedLinkPage>
    );
  return (
    <MailedLinkPage title={m.address_change_title()}>
      <div className="space-y-4">
        <p>{m.address_change_text({ address: change.address, date: longDateText(change.changedAt) })}</p>
        {change.undoUntil ? (
          <>
            <p>{m.address_change_undo_text({ until: deadlineText(change.undoUntil) })}</p>
            <Button
              className="w-full"
              disabled={!hydrated || busy}
              busy={undo.isPending}
              onClick={() => undo.mutate({ token })}
            >
              {m.address_change_undo()}
            </Button>
          </>
        ) : (
          <Notice>{m.address_change_undo_over()}</Notice>
        )}
        <p>{m.address_change_confirm_text()}</p>
        <Button
          variant="secondary"
          className="w-full"
          disabled={!hydrated || busy}
          busy={confirm.isPending}
          onClick={() => confirm.mutate({ token })}
        >
          {m.address_change_confirm()}
        </Button>
        {failure && (
          <Notice tone="destructive" title={m.accounts_error_title()}>
            {reasonText(failure)}
          </Notice>
        )}
      </div>
    </MailedLinkPage>
  );
}

function isGone(error: unknown): boolean {
  return failureReason(error) === 'address_change';
}

function reasonText(error: unknown): string {
  return failureText(error, {
    ...accountFailures,
    undo_over: m.address_change_undo_over,
    address_taken: m.address_change_taken,
  });
}
