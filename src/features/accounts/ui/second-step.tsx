import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { fieldProblems } from '#/web/failures.ts';
import { useFormSaving } from '#/web/form-saving.ts';
import type { SetUp } from '../second-factor/contract.ts';
import { AuthenticatorKey } from './authenticator-key.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { callIdentity, identityErrorText } from './identity-call.ts';

export function SecondStep({
  email,
  password,
  setUp,
  onSignedIn,
  onBack,
}: {
  email: string;
  password: string;
  setUp: SetUp | null;
  onSignedIn: () => Promise<void>;
  onBack: () => void;
}) {
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const saving = useFormSaving(wrongCode, identityErrorText);
  const { form, errors, failure, busy } = saving;
  if (codes) {
    return (
      <div className="grid gap-4">
        <BackupCodes codes={codes} />
        <Button onClick={() => void onSignedIn()}>{m.second_step_go_on()}</Button>
      </div>
    );
  }
  const send = async () => {
    const { backupCodes } = await callIdentity('/sign-in/email', { email, password, code });
    if (backupCodes) setCodes(backupCodes);
    else await onSignedIn();
  };
  const missing = code.trim() === '' ? { code: m.second_step_code_missing() } : {};
  return (
    <form
      ref={form}
      noValidate
      className="space-y-4"
      onSubmit={(event) => void saving.submit(event, missing, send)}
    >
      <p className="text-quiet">{setUp ? m.second_step_set_up_text() : m.second_step_text()}</p>
      {setUp && <AuthenticatorKey setUp={setUp} />}
      <Field
        label={m.second_step_code()}
        hint={setUp ? undefined : m.second_step_code_hint()}
        error={errors.code}
      >
        <TextInput
          value={code}
          onChange={({ target }) => setCode(target.value)}
          autoComplete="one-time-code"
          inputMode={setUp ? 'numeric' : 'text'}
          autoCapitalize="characters"
          maxLength={40}
          ref={focus}
        />
      </Field>
      {failure && (
        <Notice tone="destructive" title={m.accounts_error_title()}>
          {failure}
        </Notice>
      )}
      <Button type="submit" busy={busy} className="w-full">
        {m.accounts_sign_in()}
      </Button>
      <div className="flex justify-center">
        <Button variant="quiet" size="sm" onClick={onBack}>
          {m.accounts_back_to_sign_in()}
        </Button>
      </div>
    </form>
  );
}

function wrongCode(error: unknown): { code?: string } {
  const wrong = fieldProblems(error).some(({ field }) => field === 'code');
  return wrong ? { code: m.second_step_code_wrong() } : {};
}

/** The previous form unmounted and lost focus. */
function focus(input: HTMLInputElement | null): void {
  input?.focus();
}
