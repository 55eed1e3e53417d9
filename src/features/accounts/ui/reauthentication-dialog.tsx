import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { KnownUsername } from '#/web/components/known-username.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useForm } from '#/web/form.tsx';
import { opensByLink } from '../rules.ts';
import type { SecondFactorState } from '../second-factor/contract.ts';
import { backupCodeText, missingProofs, proofText } from './field-errors.ts';
import { accountFailureText } from './failure-text.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { isUnanswered, signChallenge } from './passkey-browser.ts';
import { emitSessionEvent } from './session-events.ts';
import { useSite, useViewer } from './session.tsx';

const proofs = ['password', 'code'] as const;

const texts = {
  passkey: { description: m.second_step_by_passkey_text, submit: m.second_step_by_passkey },
  proofs: { description: m.reauthentication_text, submit: m.reauthentication_confirm },
  link: { description: m.reauthentication_no_password, submit: m.reauthentication_mail_link },
  reset: { description: m.reauthentication_set_password, submit: m.accounts_password_missing_set },
};

export function ReauthenticationDialog({
  fully,
  onConfirmed,
  onClose,
}: {
  /** Asks for both factors, if set up. */
  fully: boolean;
  onConfirmed: () => void;
  onClose: () => void;
}) {
  const viewer = useViewer();
  const { data: factor } = useQuery(api.secondFactor.get.queryOptions());
  const hasPasskey = useHasPasskey(factor);
  const { byPasskey, confirmByPasskey } = usePasskeyConfirmation(factor, onConfirmed);
  const [byCode, setByCode] = useState(false);
  const [typing, setTyping] = useState(false);
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const withoutApp = factor?.byPasskey === true;
  const askedForPasskey = fully && withoutApp && hasPasskey && !typing;
  // People without a password confirm by emailed link.
  const byMail = viewer?.hasPassword === false && !byCode && !askedForPasskey;
  const byLink = viewer !== null && opensByLink(viewer);
  const codeAlone = !fully || (viewer !== null && !viewer.hasPassword && !byLink);
  const both = fully && viewer?.hasPassword === true && factor?.active === true;
  const asked =
    byMail || askedForPasskey ? [] : both ? proofs : byCode ? proofs.slice(1) : proofs.slice(0, 1);
  const { description, submit } =
    texts[askedForPasskey ? 'passkey' : !byMail ? 'proofs' : byLink ? 'link' : 'reset'];
  const sentence = withoutApp ? backupCodeText : proofText;
  const form = useForm({
    values: { password: '', code: '' },
    check: (typed) => missingProofs(typed, asked, sentence),
    sentence,
    failureText: accountFailureText,
    save: async (typed) => {
      if (askedForPasskey) return confirmByPasskey();
      if (byMail) {
        await requestLink(viewer.email, byLink);
        return setMailedTo(viewer.email);
      }
      await api.reauthentication.confirm.call(
        Object.fromEntries(asked.map((proof) => [proof, typed[proof]])),
      );
      if (asked.includes('code')) emitSessionEvent('MFA_CHALLENGE_VERIFIED');
      onConfirmed();
    },
  });
  const { register, errorOf } = form;
  return (
    <FormDialog
      title={m.reauthentication_title()}
      description={description()}
      submitLabel={submit()}
      failedTitle={m.reauthentication_failed()}
      form={form}
      onClose={onClose}
    >
      <KnownUsername email={viewer?.email} />
      {mailedTo !== null && (
        <Notice tone="success" title={m.accounts_forgot_sent_title()}>
          {byLink
            ? m.reauthentication_mailed({ email: mailedTo })
            : m.accounts_password_missing_sent({ email: mailedTo })}
        </Notice>
      )}
      {asked.includes('password') && (
        <Field label={m.web_your_password()} error={errorOf('password')}>
          <PasswordInput {...register('password')} autoComplete="current-password" />
        </Field>
      )}
      {asked.includes('code') && (
        <Field
          label={withoutApp ? m.second_step_backup_code() : m.second_step_code()}
          hint={withoutApp ? undefined : m.second_step_code_hint()}
          error={errorOf('code')}
        >
          <TextInput {...register('code')} autoComplete="one-time-code" autoCapitalize="characters" />
        </Field>
      )}
      {byPasskey?.failed && (
        <Notice tone="destructive" title={m.reauthentication_failed()}>
          {byPasskey.failed}
        </Notice>
      )}
      {askedForPasskey && viewer?.hasPassword && (
        <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setTyping(true)}>
          {m.second_step_by_backup_code()}
        </Button>
      )}
      {hasPasskey && !askedForPasskey && (
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
      {factor?.active && codeAlone && !askedForPasskey && (
        <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setByCode(!byCode)}>
          {byCode ? m.reauthentication_by_password() : m.reauthentication_by_code()}
        </Button>
      )}
    </FormDialog>
  );
}

async function requestLink(email: string, byLink: boolean): Promise<void> {
  if (byLink) await callIdentity('/request-sign-in-link', { email });
  else
    await callIdentity('/request-password-reset', {
      email,
      next: `${window.location.pathname}${window.location.search}`,
    });
}

/** Also requires a browser that supports passkeys. */
function useHasPasskey(factor: SecondFactorState | undefined): boolean {
  const { passkeys: offered } = useSite();
  const { data: passkeys } = useQuery({
    ...api.passkeys.list.queryOptions(),
    enabled: offered || factor?.byPasskey === true,
  });
  return passkeys !== undefined && passkeys.length > 0 && typeof PublicKeyCredential === 'function';
}

function usePasskeyConfirmation(factor: SecondFactorState | undefined, onConfirmed: () => void) {
  const [byPasskey, setByPasskey] = useState<{ failed: string | null } | null>(null);
  const confirmByPasskey = async () => {
    setByPasskey({ failed: null });
    try {
      const passkey = await signChallenge(await api.passkeys.ask.call({}));
      await api.reauthentication.confirm.call({ passkey });
      if (factor?.active) emitSessionEvent('MFA_CHALLENGE_VERIFIED');
      onConfirmed();
    } catch (error) {
      setByPasskey({
        failed: isUnanswered(error) ? m.accounts_passkey_canceled() : identityErrorText(error),
      });
    }
  };
  return { byPasskey, confirmByPasskey };
}
