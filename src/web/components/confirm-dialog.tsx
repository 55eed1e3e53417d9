import type { FailureNotice } from '../failures.ts';
import { AlertDialog } from './alert-dialog.tsx';
import type { AlertDialogProps } from './dialog-views.tsx';
import { FailureAlert } from './notice.tsx';

/** Asks before the server does `act`. Stays open meanwhile, and shows the failure. */
export function ConfirmDialog({
  act,
  failure,
  open = true,
  onClose,
  children,
  ...question
}: Omit<AlertDialogProps, 'open' | 'onOpenChange' | 'busy'> & {
  act: { isPending: boolean; reset: () => void };
  failure: FailureNotice | '' | false | null | undefined;
  open?: boolean;
  onClose: () => void;
}) {
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
      {(children || failure) && (
        <>
          {children}
          <FailureAlert failure={failure} className={children ? 'mt-4' : undefined} />
        </>
      )}
    </AlertDialog>
  );
}
