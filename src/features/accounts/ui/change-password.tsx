import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useFormSaving } from '#/web/form-saving.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { refusedErrors, typedErrors } from './field-errors.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { useSession } from './session.tsx';

export function ChangePassword() {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" disabled={!hydrated} onClick={() => setOpen(true)}>
        {m.accounts_password_change()}
      </Button>
      {open && <ChangeDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const { site } = useSession();
  const { toast } = useToast();
  const least = site.passwordMinLength;
  const [typed, setTyped] = useState({ password: '', newPassword: '' });
  const saving = useFormSaving(
    (error) => (isRefusal(error) ? refusedErrors(error, least) : {}),
    identityErrorText,
  );
  const input = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });
  const { password, newPassword } = typed;
  // Existing passwords may predate the current minimum.
  const wrong = { ...typedErrors({ password }, 1), ...typedErrors({ newPassword }, least) };
  const change = async () => {
    await callIdentity('/change-password', typed);
    onClose();
    toast({
      tone: 'success',
      title: m.accounts_password_changed(),
      description: m.accounts_password_changed_text(),
    });
  };
  return (
    <FormDialog
      title={m.accounts_password_change()}
      description={m.accounts_password_change_text()}
      submitLabel={m.accounts_password_change()}
      failedTitle={m.accounts_error_title()}
      saving={saving}
      onSubmit={(event) => void saving.submit(event, wrong, change)}
      onClose={onClose}
    >
      <Field label={m.accounts_current_password()} error={saving.errors.password}>
        <PasswordInput {...input('password')} autoComplete="current-password" />
      </Field>
      <Field
        label={m.accounts_new_password()}
        hint={m.accounts_password_hint({ min: least })}
        error={saving.errors.newPassword}
      >
        <PasswordInput {...input('newPassword')} autoComplete="new-password" />
      </Field>
    </FormDialog>
  );
}
