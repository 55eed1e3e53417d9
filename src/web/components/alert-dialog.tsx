import type { ReactNode } from 'react';
import { useDialogViews } from './dialog.tsx';

export interface AlertDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  children?: ReactNode;
  confirmLabel: ReactNode;
  cancelLabel?: ReactNode;
  /** Doesn't close the dialog: callers do, once finished. */
  onConfirm: () => void;
  busy?: boolean;
  tone?: 'destructive' | 'primary';
}

/** Confirms a destructive action. Focus starts on cancel. */
export function AlertDialog(props: AlertDialogProps) {
  const views = useDialogViews(props.open);
  return views && <views.AlertDialogView {...props} />;
}
