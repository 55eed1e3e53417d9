import { BadgeCheck, Pencil, RotateCcw, ShieldCheck, Smartphone, Trash2, UserX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { isProvider, type Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useForm } from '#/web/form.tsx';
import { TextField } from '#/web/components/field.tsx';
import type { OpenedUser } from '../users/contract.ts';
import { useViewer } from './session.tsx';
import { type UserDialogProps, userFailureText, roleTexts } from './users-texts.ts';
import { EditUserDialog } from './users-edit-dialog.tsx';
import { ReactivateDialog, type SessionsPart, SuspendDialog } from './users-suspend-dialog.tsx';

type ActionDialogProps = UserDialogProps & { onRemoved: () => void | Promise<void> };
type ActionDialog = (props: ActionDialogProps & { Sessions: SessionsPart }) => ReactNode;

interface UserAction<Dialog = ActionDialog> {
  label: () => string;
  icon: ReactNode;
  Dialog: Dialog;
}

export type MenuAction = UserAction<(props: ActionDialogProps) => ReactNode>;

/** An administrator’s actions on an account. */
export function UserActions({
  user,
  Approval,
  Sessions,
  onDone,
}: {
  user: OpenedUser;
  Approval: ActionDialog;
  Sessions: SessionsPart;
  /** Runs when a dialog closes. */
  onDone: () => void;
}) {
  const viewer = useViewer();
  const navigate = useNavigate();
  const [opened, setOpened] = useState<UserAction | null>(null);
  const may = (capability: Parameters<typeof can>[1]) => can(viewer?.role ?? null, capability);
  // Administrators can't lock themselves out.
  const others: readonly (UserAction | false)[] =
    user.id === viewer?.id
      ? []
      : [
          may('manage_roles') && changeRole,
          isProvider(user.role) &&
            may('manage_providers') && { label: m.approval_title, icon: <BadgeCheck />, Dialog: Approval },
          user.secondFactor && factor,
          user.status === 'suspended' ? reactivate : suspend,
          remove,
        ];
  return (
    <>
      <div role="group" aria-label={m.web_actions()} className="flex flex-wrap gap-2">
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
          onRemoved={() => navigate('/admin/settings?tab=users', { replace: true })}
          onClose={() => {
            setOpened(null);
            onDone();
          }}
        />
      )}
    </>
  );
}

export const edit: MenuAction = { label: m.users_edit, icon: <Pencil />, Dialog: EditUserDialog };
export const changeRole: MenuAction = {
  label: m.users_change_role,
  icon: <ShieldCheck />,
  Dialog: ChangeRoleDialog,
};
const factor: UserAction = { label: m.users_reset_factor, icon: <Smartphone />, Dialog: ResetFactorDialog };
const suspend: UserAction = { label: m.users_suspend, icon: <UserX />, Dialog: SuspendDialog };
const reactivate: UserAction = { label: m.users_reactivate, icon: <RotateCcw />, Dialog: ReactivateDialog };
export const remove: MenuAction = { label: m.users_delete, icon: <Trash2 />, Dialog: DeleteUserDialog };

function ResetFactorDialog({ user: { id, name }, onClose }: UserDialogProps) {
  return (
    <ConfirmAction
      act={() => api.secondFactor.reset.call({ id })}
      onDone={() => {
        onClose();
        toast.done(m.users_factor_reset(), m.users_factor_reset_text({ name }));
      }}
      failedTitle={m.users_reset_factor_failed()}
      failureText={userFailureText}
      onClose={onClose}
      title={m.users_reset_factor_title({ name })}
      description={m.users_reset_factor_text()}
      confirmLabel={m.users_reset_factor()}
    />
  );
}

const descriptions: Readonly<Record<Role, () => string>> = {
  client: m.users_role_client_text,
  doctor: m.users_role_doctor_text,
  pastor: m.users_role_pastor_text,
  super_admin: m.users_role_super_admin_text,
};

function ChangeRoleDialog({ user, onClose }: UserDialogProps) {
  const navigate = useNavigate();
  const { role: from, name, email, offeredRoles, hasListing, comingSessions } = user;
  const needsPage = (role: Role | null) => from === 'client' && !hasListing && isProvider(role);
  const form = useForm<{ to: Role | null }>({
    values: { to: null },
    check: ({ to }) => (to ? {} : { to: m.users_role_missing() }),
    failureText: userFailureText,
    save: async ({ to }) => {
      if (needsPage(to)) return navigate('/admin/add-provider', { state: { name, email, type: to } });
      const saved = await api.directory.changeRole.call({ userId: user.id, from, to: to! });
      onClose();
      toast.done(m.users_role_saved(), m.users_role_saved_text({ name, role: roleTexts[saved.role]() }));
    },
  });
  const leavesWork = isProvider(from) && comingSessions > 0;

  const all: readonly Role[] = ['client', 'doctor', 'pastor', 'super_admin'];
  const choices = all
    .filter((role) => role !== from)
    .map((role) => ({
      value: role,
      label: roleTexts[role](),
      description: needsPage(role) ? m.users_role_page_next() : descriptions[role](),
      disabled: (!offeredRoles.includes(role) && !needsPage(role)) || (leavesWork && !isProvider(role)),
    }));

  return (
    <FormDialog
      title={m.users_role_title({ name })}
      description={m.users_role_now({ role: roleTexts[from]() })}
      submitLabel={m.users_change_role()}
      failedTitle={m.users_role_failed()}
      form={form}
      onClose={onClose}
    >
      <ChoiceGroup
        legend={m.users_role_legend()}
        error={form.errorOf('to')}
        choices={choices}
        {...form.choice('to')}
        className="[&>div]:sm:grid-cols-1"
      />
      {leavesWork && <Notice>{m.users_role_sessions({ count: comingSessions })}</Notice>}
      {!hasListing && from !== 'client' && <p className="text-sm text-quiet">{m.users_role_no_listing()}</p>}
      {from !== 'super_admin' && !offeredRoles.includes('super_admin') && (
        <p className="text-sm text-quiet">{m.users_role_admin_only()}</p>
      )}
    </FormDialog>
  );
}

function DeleteUserDialog({ user, onRemoved, onClose }: ActionDialogProps) {
  const { id, name, email, hasListing, comingSessions } = user;
  const form = useForm({
    values: { email: '' },
    check: (typed) =>
      typed.email.trim().toLowerCase() === email ? {} : { email: m.users_delete_mismatch() },
    sentence: (field) => (field === 'email' ? m.users_delete_mismatch() : undefined),
    failureText: userFailureText,
    save: async (typed) => {
      await api.directory.remove.call({ userId: id, email: typed.email });
      await onRemoved();
      toast({ title: m.users_deleted(), description: m.users_deleted_text({ name }) });
    },
  });

  return (
    <FormDialog
      title={m.users_delete_title({ name })}
      description={m.users_delete_text()}
      submitLabel={m.users_delete()}
      destructive
      failedTitle={m.users_delete_failed()}
      form={form}
      onClose={onClose}
    >
      <section>
        <h3 className="mb-2 text-lg font-semibold">{m.users_delete_lost()}</h3>
        <ul className="list-disc space-y-1 pl-5">
          <li>{m.users_delete_lost_profile()}</li>
          <li>{m.users_delete_lost_words()}</li>
          <li>{m.users_delete_lost_files()}</li>
          {hasListing && <li>{m.users_delete_lost_listing()}</li>}
          {comingSessions > 0 && <li>{m.users_delete_lost_sessions({ count: comingSessions })}</li>}
        </ul>
        <p className="mt-2 text-quiet">{m.users_delete_kept()}</p>
      </section>
      <TextField
        label={m.users_delete_type({ email })}
        {...form.field('email')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
    </FormDialog>
  );
}
