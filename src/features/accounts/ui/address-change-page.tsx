import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { failureReason, failureText } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { deadlineText, longDateText } from '#/web/times.ts';
import { resetPasswordPath } from '../rules.ts';
import { accountFailures } from './failure-text.ts';
import { MailedLinkPage } from './mailed-link.tsx';
import { useSession } from './session.tsx';

export function AddressChangePage({ token }: { token: string }) {
  const ownZone = useOwnZone();
  const navigate = useNavigate();
  const { refresh } = useSession();
  const [confirmed, setConfirmed] = useState(false);
  const read = useQuery({
    ...api.addressChange.get.queryOptions({ input: { token } }),
    enabled: token !== '',
  });
  const undo = useMutation({
    ...api.addressChange.undo.mutationOptions(),
    onSuccess: async ({ resetToken }) => {
      await refresh();
      await navigate(resetPasswordPath(resetToken), { replace: true });
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
  if (token === '' || isGone(read.error) || isGone(failure))
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
      <Fetched query={read}>
        {(change) => (
          <div className="space-y-4">
            <p>
              {(change.byOwner ? m.address_change_own_text : m.address_change_text)({
                address: change.address,
                date: longDateText(change.changedAt, ownZone),
              })}
            </p>
            {change.undoUntil ? (
              <>
                <p>{m.address_change_undo_text({ until: deadlineText(change.undoUntil) })}</p>
                <Button
                  className="w-full"
                  disabled={busy}
                  busy={undo.isPending}
                  onClick={() => undo.mutate({ token })}
                >
                  {m.address_change_undo()}
                </Button>
              </>
            ) : (
              <Notice>{m.address_change_undo_over()}</Notice>
            )}
            {!change.byOwner && (
              <>
                <p>{m.address_change_confirm_text()}</p>
                <Button
                  variant="secondary"
                  className="w-full"
                  disabled={busy}
                  busy={confirm.isPending}
                  onClick={() => confirm.mutate({ token })}
                >
                  {m.address_change_confirm()}
                </Button>
              </>
            )}
            <FailureAlert title={m.accounts_error_title()} text={failure && reasonText(failure)} />
          </div>
        )}
      </Fetched>
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
