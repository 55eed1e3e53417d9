import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { fieldProblems } from '#/web/failures.ts';
import { useFormSaving, type FieldTexts } from '#/web/form-saving.ts';
import { accountFailureText } from './failure-text.ts';
import { callIdentity } from './identity-call.ts';
import { useViewer } from './session.tsx';

export function ReauthenticationDialog({
  onConfirmed,
  onClose,
}: {
  onConfirmed: () => void;
  onClose: () => void;
}) {
  const api = useApi();
  const viewer = useViewer();
  const factor = useQuery(api.secondFactor.get.queryOptions());
  const [byCode, setByCode] = useState(false);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const saving = useFormSaving(refusedTexts, accountFailureText);
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  // People without a password confirm by emailed link.
  const byMail = viewer?.hasPassword === false && !byCode;
  const missing: FieldTexts = {
    ...(byCode && code.trim() === '' && { code: m.second_step_code_missing() }),
    ...(!byCode && !byMail && password === '' && { password: m.accounts_field_password_required() }),
  };
  const onSubmit = (event: SubmitEvent) =>
    void saving.submit(event, missing, async () => {
      if (byMail) {
        await callIdentity('/request-sign-in-link', { email: viewer.email });
        return setMailedTo(viewer.email);
      }
      await api.reauthentication.confirm.call(byCode ? { code } : { password });
      onConfirmed();
    });
  return (
    <FormDialog
      title={m.reauthentication_title()}
      description={byMail ? m.reauthentication_no_password() : m.reauthentication_text()}
      submitLabel={byMail ? m.reauthentication_mail_link() : m.reauthentication_confirm()}
      failedTitle={m.reauthentication_failed()}
      saving={saving}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {/* Password managers need the username. */}
      <input type="hidden" name="username" autoComplete="username" value={viewer?.email ?? ''} readOnly />
      {mailedTo !== null && (
        <Notice tone="success" title={m.accounts_forgot_sent_title()}>
          {m.reauthentication_mailed({ email: mailedTo })}
        </Notice>
      )}
      {byCode ? (
        <Field label={m.second_step_code()} hint={m.second_step_code_hint()} error={saving.errors.code}>
          <TextInput
            key="code"
            name="code"
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="one-time-code"
            autoCapitalize="characters"
            maxLength={40}
          />
        </Field>
      ) : byMail ? null : (
        <Field label={m.reauthentication_password()} error={saving.errors.password}>
          <PasswordInput
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
      )}
      {factor.data?.active && (
        <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setByCode(!byCode)}>
          {byCode ? m.reauthentication_by_password() : m.reauthentication_by_code()}
        </Button>
      )}
    </FormDialog>
  );
}

function refusedTexts(error: unknown): FieldTexts {
  const wrong = (field: string) => fieldProblems(error).some((one) => one.field === field);
  if (wrong('code')) return { code: m.second_step_code_wrong() };
  return wrong('password') ? { password: m.reauthentication_wrong_password() } : {};
}
