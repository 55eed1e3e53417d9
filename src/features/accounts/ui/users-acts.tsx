import { useMutation } from '@tanstack/react-query';
import { BadgeCheck, Pencil, RotateCcw, ShieldCheck, Smartphone, Trash2, UserX } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { can } from '#/features/access/rules.ts';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { OpenedUser } from '../users/contract.ts';
import { useViewer } from './session.tsx';
import { DeleteUserDialog } from './users-delete-dialog.tsx';
import type { UserDialogProps } from './users-dialog.ts';
import { EditUserDialog } from './users-edit-dialog.tsx';
import { ChangeRoleDialog } from './users-role-dialog.tsx';
import { ReactivateDialog, type SessionsPart, SuspendDialog } from './users-suspend-dialog.tsx';
import { userFailureText } from './users-texts.ts';

type ActDialog = ComponentType<UserDialogProps & { Sessions: SessionsPart }>;

interface Act {
  label: () => string;
  icon: ReactNode;
  Dialog: ActDialog;
}

/** An administrator’s actions on an account. */
export function UserActs({
  user,
  Approval,
  Sessions,
  onDone,
}: {
  user: OpenedUser;
  Approval: ActDialog;
  Sessions: SessionsPart;
  /** Runs when a dialog closes. */
  onDone: () => void;
}) {
  const viewer = useViewer();
  const [opened, setOpened] = useState<Act | null>(null);
  const may = (capability: Parameters<typeof can>[1]) => can(viewer?.role ?? null, capability);
  // Administrators can't lock themselves out.
  const others: readonly (Act | false)[] =
    user.id === viewer?.id
      ? []
      : [
          may('manage_roles') && role,
          isProvider(user.role) &&
            may('manage_providers') && { label: m.approval_title, icon: <BadgeCheck />, Dialog: Approval },
          user.secondFactor && factor,
          user.status === 'suspended' ? reactivate : suspend,
          remove,
        ];
  return (
    <>
      <div role="group" aria-label={m.users_column_menu()} className="flex flex-wrap gap-2">
        {[edit, ...others.filter((act) => act !== false)].map((act) => (
          <Button
            key={act.label()}
            variant="secondary"
            size="sm"
            className={act === remove ? 'text-clay!' : undefined}
            onClick={() => setOpened(act)}
          >
            {act.icon}
            {act.label()}
          </Button>
        ))}
      </div>
      {opened && (
        <opened.Dialog
          user={user}
          Sessions={Sessions}
          onClose={() => {
            setOpened(null);
            onDone();
          }}
        />
      )}
    </>
  );
}

const edit: Act = { label: m.users_edit, icon: <Pencil />, Dialog: EditUserDialog };
const role: Act = { label: m.users_change_role, icon: <ShieldCheck />, Dialog: ChangeRoleDialog };
const factor: Act = { label: m.users_reset_factor, icon: <Smartphone />, Dialog: ResetFactorDialog };
const suspend: Act = { label: m.users_suspend, icon: <UserX />, Dialog: SuspendDialog };
const reactivate: Act = { label: m.users_reactivate, icon: <RotateCcw />, Dialog: ReactivateDialog };
const remove: Act = { label: m.users_delete, icon: <Trash2 />, Dialog: DeleteUserDialog };

function ResetFactorDialog({ user: { id, name }, onClose }: UserDialogProps) {
  const reset = useMutation({
    ...api.secondFactor.reset.mutationOptions(),
    onSuccess: () => {
      onClose();
      toast.done(m.users_factor_reset(), m.users_factor_reset_text({ name }));
    },
  });
  return (
    <ConfirmDialog
      act={reset}
      failure={(error) => ({ title: m.users_reset_factor_failed(), text: userFailureText(error) })}
      onClose={onClose}
      title={m.users_reset_factor_title({ name })}
      description={m.users_reset_factor_text()}
      confirmLabel={m.users_reset_factor()}
      cancelLabel={m.web_cancel()}
      onConfirm={() => reset.mutate({ id })}
    />
  );
}
