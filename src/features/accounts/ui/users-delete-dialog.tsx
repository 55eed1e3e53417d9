import { useNavigate } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useForm } from '#/web/form.tsx';
import type { UserDialogProps } from './users-dialog.ts';
import { userFailureText } from './users-texts.ts';

export function DeleteUserDialog({ user, onClose }: UserDialogProps) {
  const navigate = useNavigate();
  const { id, name, email, hasListing, comingSessions } = user;
  const form = useForm({
    values: { email: '' },
    check: (typed) =>
      typed.email.trim().toLowerCase() === email ? {} : { email: m.users_delete_mismatch() },
    sentence: (field) => (field === 'email' ? m.users_delete_mismatch() : undefined),
    failureText: userFailureText,
    save: async (typed) => {
      await api.directory.remove.call({ userId: id, email: typed.email });
      await navigate('/admin/settings?tab=users', { replace: true });
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
      <Field label={m.users_delete_type({ email })} error={form.errorOf('email')}>
        <TextInput
          {...form.register('email')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </Field>
    </FormDialog>
  );
}
