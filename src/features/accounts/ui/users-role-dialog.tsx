import { isProvider, type Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useForm } from '#/web/form.tsx';
import type { UserDialogProps } from './users-dialog.ts';
import { roleTexts, userFailureText } from './users-texts.ts';

const descriptions: Readonly<Record<Role, () => string>> = {
  client: m.users_role_client_text,
  doctor: m.users_role_doctor_text,
  pastor: m.users_role_pastor_text,
  super_admin: m.users_role_super_admin_text,
};

export function ChangeRoleDialog({ user, onClose }: UserDialogProps) {
  const { role: from, name, offeredRoles, hasListing, comingSessions } = user;
  const form = useForm<{ to: Role | null }>({
    values: { to: null },
    check: ({ to }) => (to ? {} : { to: m.users_role_missing() }),
    failureText: userFailureText,
    save: async ({ to }) => {
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
      description: descriptions[role](),
      disabled: !offeredRoles.includes(role) || (leavesWork && !isProvider(role)),
    }));

  return (
    <FormDialog
      title={m.users_role_title({ name })}
      description={m.users_role_now({ role: roleTexts[from]() })}
      submitLabel={m.users_role_save()}
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
      {!hasListing && <p className="text-sm text-quiet">{m.users_role_no_listing()}</p>}
      {from !== 'super_admin' && !offeredRoles.includes('super_admin') && (
        <p className="text-sm text-quiet">{m.users_role_admin_only()}</p>
      )}
    </FormDialog>
  );
}
