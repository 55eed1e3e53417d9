import { useMutation } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { UserDialogProps } from './users-dialog.ts';
import { userFailureText } from './users-texts.ts';

export function ResetFactorDialog({ user: { id, name }, onClose }: UserDialogProps) {
  const api = useApi();
  const { toast } = useToast();
  const reset = useMutation({
    ...api.secondFactor.reset.mutationOptions(),
    onSuccess: () => {
      onClose();
      toast.done(m.users_factor_reset(), m.users_factor_reset_text({ name }));
    },
  });
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !reset.isPending) onClose();
      }}
      title={m.users_reset_factor_title({ name })}
      description={m.users_reset_factor_text()}
      confirmLabel={m.users_reset_factor()}
      cancelLabel={m.web_cancel()}
      busy={reset.isPending}
      onConfirm={() => reset.mutate({ id })}
    >
      {reset.isError && (
        <Notice tone="destructive" title={m.users_reset_factor_failed()}>
          {userFailureText(reset.error)}
        </Notice>
      )}
    </AlertDialog>
  );
}
