import { useMutation } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import type { ComponentProps } from 'react';
import type { FailureNotice } from '../failures.ts';
import { AlertDialog } from './alert-dialog.tsx';
import type { AlertDialogProps } from './dialog-views.tsx';
import { FailureAlert } from './notice.tsx';

/** Asks before the server does `act`. Stays open meanwhile, and says why it failed. */
export function ConfirmDialog({
  act,
  failure,
  open = true,
  onClose,
  children,
  ...question
}: Omit<AlertDialogProps, 'open' | 'onOpenChange' | 'busy'> & {
  act: { isPending: boolean; isError: boolean; error: unknown; reset: () => void };
  failure: (error: unknown) => FailureNotice | false;
  open?: boolean;
  onClose: () => void;
}) {
  const failed = act.isError && failure(act.error);
  return (
    <AlertDialog
      {...question}
      open={open}
      onOpenChange={(next) => {
        if (next || act.isPending) return;
        act.reset();
        onClose();
      }}
      busy={act.isPending}
    >
      {(children || failed) && (
        <>
          {children}
          <FailureAlert {...failed} className={children ? 'mt-4' : undefined} />
        </>
      )}
    </AlertDialog>
  );
}

/** Runs `act` itself, once confirmed. */
export function ConfirmAction<Result>({
  act,
  onDone,
  onFailed,
  failedTitle = m.web_did_not_work(),
  failureText,
  ...question
}: Omit<ComponentProps<typeof ConfirmDialog>, 'act' | 'failure' | 'onConfirm'> & {
  act: () => Promise<Result>;
  onDone: (result: Result) => unknown;
  onFailed?: (error: unknown) => unknown;
  failedTitle?: string;
  failureText: (error: unknown) => string;
}) {
  const acting = useMutation({ mutationFn: act, onSuccess: onDone, ...(onFailed && { onError: onFailed }) });
  return (
    <ConfirmDialog
      {...question}
      act={acting}
      failure={(error) => ({ title: failedTitle, text: failureText(error) })}
      onConfirm={() => acting.mutate()}
    />
  );
}
