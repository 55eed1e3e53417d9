import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useForm } from '#/web/form.tsx';
import { proofText } from './field-errors.ts';
import { accountFailureText } from './failure-text.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { isCanceled, signChallenge } from './passkey-browser.ts';
import { useSite, useViewer } from './session.tsx';

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
  const { passkeys: offered } = useSite();
  const passkeys = useQuery({ ...api.passkeys.list.queryOptions(), enabled: offered });
  const [byPasskey, setByPasskey] = useState<{ failed: string | null } | null>(null);
  const [byCode, setByCode] = useState(false);
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  // People without a password confirm by emailed link.
  const byMail = viewer?.hasPassword === false && !byCode;
  const asked = byCode ? 'code' : 'password';
  const form = useForm({
    values: { password: '', code: '' },
    check: ({ password, code }) =>
      byMail || (byCode ? code.trim() : password) !== '' ? {} : { [asked]: proofText(asked, 'required') },
    sentence: proofText,
    failureText: accountFailureText,
    save: async (typed) => {
      if (byMail) {
        await callIdentity('/request-sign-in-link', { email: viewer.email });
        return setMailedTo(viewer.email);
      }
      await api.reauthentication.confirm.call({ [asked]: typed[asked] });
      onConfirmed();
    },
  });
  const { register, errorOf } = form;
  const confirmByPasskey = async () => {
    setByPasskey({ failed: null });
    try {
      const passkey = await signChallenge(await api.passkeys.ask.call({}));
      await api.reauthentication.confirm.call({ passkey });
      onConfirmed();
    } catch (error) {
      setByPasskey({
        failed: isCanceled(error) ? m.accounts_passkey_canceled() : identityErrorText(error),
      });
    }
  };
  return (
    <FormDialog
      title={m.reauthentication_title()}
      description={byMail ? m.reauthentication_no_password() : m.reauthentication_text()}
      submitLabel={byMail ? m.reauthentication_mail_link() : m.reauthentication_confirm()}
      failedTitle={m.reauthentication_failed()}
      form={form}
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
        <Field label={m.second_step_code()} hint={m.second_step_code_hint()} error={errorOf('code')}>
          <TextInput {...register('code')} autoComplete="one-time-code" autoCapitalize="characters" />
        </Field>
      ) : byMail ? null : (
        <Field label={m.reauthentication_password()} error={errorOf('password')}>
          <PasswordInput {...register('password')} autoComplete="current-password" />
        </Field>
      )}
      {byPasskey?.failed && (
        <Notice tone="destructive" title={m.reauthentication_failed()}>
          {byPasskey.failed}
        </Notice>
      )}
      {passkeys.data && passkeys.data.length > 0 && typeof PublicKeyCredential === 'function' && (
        <Button
          variant="quiet"
          size="sm"
          className="justify-self-start"
          busy={byPasskey?.failed === null}
          onClick={() => void confirmByPasskey()}
        >
          {m.reauthentication_by_passkey()}
        </Button>
      )}
      {factor.data?.active && (
        <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setByCode(!byCode)}>
          {byCode ? m.reauthentication_by_password() : m.reauthentication_by_code()}
        </Button>
      )}
    </FormDialog>
  );
}
