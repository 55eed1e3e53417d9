import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Field, PasswordInput, TextInput, PasswordField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { KnownUsername } from '#/web/components/known-username.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useForm } from '#/web/form.tsx';
import { askToReauthenticate } from '#/web/fresh-session.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { proofText, refusedErrors, typedErrors } from './field-errors.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { emitSessionEvent } from './session-events.ts';
import { useSession } from './session.tsx';
import { RowAction } from './setting-row.tsx';

export function ChangePassword() {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(false);
  return (
    <>
      <RowAction disabled={!hydrated} onClick={() => setOpen(true)}>
        {m.accounts_password_change()}
      </RowAction>
      {open && <ChangeDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function ChangeDialog({ onClose }: { onClose: () => void }) {
  const { site, viewer } = useSession();
  const least = site.passwordMinLength;
  const factor = useQuery(api.secondFactor.get.queryOptions()).data;
  const byPasskey = factor?.byPasskey === true;
  const byCode = factor?.active === true && !byPasskey;
  const form = useForm({
    values: { password: '', code: '', newPassword: '' },
    // Existing passwords may predate the current minimum.
    check: ({ password, code, newPassword }) => ({
      ...typedErrors({ password }),
      ...(byCode && code.trim() === '' && { code: proofText('code', 'required') }),
      ...typedErrors({ newPassword }, least),
    }),
    refusedTexts: (error) => refusedErrors(error, least),
    failureText: identityErrorText,
    save: async ({ code, ...typed }) => {
      if (byPasskey && !(await askToReauthenticate(true))) return;
      await callIdentity('/change-password', byCode ? { ...typed, code } : typed);
      if (byCode) emitSessionEvent('MFA_CHALLENGE_VERIFIED');
      onClose();
      toast.done(m.accounts_password_changed(), m.accounts_password_changed_text());
    },
  });
  const { field, register, errorOf } = form;
  return (
    <FormDialog
      title={m.accounts_password_change()}
      description={m.accounts_password_change_text()}
      submitLabel={m.accounts_password_change()}
      failedTitle={m.accounts_error_title()}
      form={form}
      onClose={onClose}
    >
      <KnownUsername email={viewer?.email} />
      <Field label={m.accounts_current_password()} error={errorOf('password')}>
        <PasswordInput {...register('password')} autoComplete="current-password" />
      </Field>
      {byCode && (
        <Field label={m.second_step_code()} hint={m.second_step_code_hint()} error={errorOf('code')}>
          <TextInput {...register('code')} autoComplete="one-time-code" autoCapitalize="characters" />
        </Field>
      )}
      <PasswordField
        label={m.accounts_new_password()}
        hint={m.accounts_password_hint({ min: least })}
        {...field('newPassword')}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}
