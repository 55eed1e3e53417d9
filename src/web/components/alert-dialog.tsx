import { useDialogViews } from './dialog.tsx';
import type { AlertDialogProps } from './dialog-views.tsx';

/** Confirms a destructive action. Focus starts on cancel. */
export function AlertDialog(props: AlertDialogProps) {
  const views = useDialogViews(props.open);
  return views && <views.AlertDialogView {...props} />;
}
