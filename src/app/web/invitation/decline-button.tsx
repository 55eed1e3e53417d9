import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '#/features/attendees/contract.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { acceptFailureText } from './failure-text.ts';

export function DeclineButton({
  token,
  inviter,
  onAnswer,
}: {
  token: string;
  inviter: string;
  onAnswer: (answered: Invitation | null) => void;
}) {
  const api = useApi();
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  const decline = useMutation({
    mutationFn: () => api.attendees.decline.call({ token }),
    networkMode: 'always',
    onSuccess: (answered) => {
      setOpen(false);
      onAnswer(answered);
    },
    onError: (error) => {
      if (isRefusal(error)) onAnswer(null);
    },
  });
  return (
    <>
      <Button variant="quiet" disabled={!hydrated} onClick={() => setOpen(true)}>
        {m.invitation_decline()}
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={(next) => {
          if (!next) decline.reset();
          setOpen(next);
        }}
        title={m.invitation_decline_title()}
        description={m.invitation_decline_text({ name: inviter })}
        confirmLabel={m.invitation_decline_confirm()}
        cancelLabel={m.invitation_decline_keep()}
        busy={decline.isPending}
        onConfirm={() => decline.mutate()}
      >
        {decline.isError && (
          <Notice tone="destructive" title={m.invitation_failed()}>
            {acceptFailureText(decline.error)}
          </Notice>
        )}
      </AlertDialog>
    </>
  );
}
