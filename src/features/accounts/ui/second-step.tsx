import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { TextField } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { failureReason } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { IdentityAnswer } from '../identity/contract.ts';
import { trustDays } from '../known-devices/rules.ts';
import type { SetUp } from '../second-factor/contract.ts';
import type { Assertion, RequestOptions } from '../webauthn/contract.ts';
import { AuthenticatorKey } from './authenticator-key.tsx';
import { BackupCodes, backupCodesFile } from './backup-codes.tsx';
import { SecretField } from './secret-field.tsx';
import { backupCodeText, proofText } from './field-errors.ts';
import { identityErrorText } from './identity-call.ts';
import { isUnanswered, signChallenge } from './passkey-browser.ts';
import { emitSessionEvent } from './session-events.ts';

/** `send` repeats the first step: with the app's code, with the passkey, or to get a new challenge. */
export interface Step {
  setUp: SetUp | null;
  passkey?: RequestOptions | undefined;
  byPasskey?: boolean | undefined;
  mayTrust?: boolean | undefined;
  send: (proof: { code?: string; passkey?: Assertion; trust?: boolean }) => Promise<IdentityAnswer>;
}

export function SecondStep({
  setUp,
  passkey: firstAsked,
  byPasskey: withoutApp = false,
  mayTrust = false,
  send,
  onSignedIn,
  onBack,
}: Step & {
  onSignedIn: () => Promise<void>;
  onBack: () => void;
}) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [trusts, setTrusts] = useState(false);
  const trust = trusts ? { trust: true } : {};
  const { passkey, byPasskey, enterByPasskey } = usePasskeyStep({ firstAsked, trust, send, onSignedIn });
  const usesPasskeys = passkey !== undefined && typeof PublicKeyCredential === 'function';
  const [typing, setTyping] = useState(!withoutApp || !usesPasskeys);
  const sentence = withoutApp ? backupCodeText : proofText;
  const passkeyButton = useRef<HTMLButtonElement>(null);
  const { field, props, setFocus, failure, busy } = useForm({
    values: { code: '' },
    check: ({ code }) => (code.trim() === '' ? { code: sentence('code', 'required') } : {}),
    sentence,
    failureText: identityErrorText,
    save: async ({ code }) => {
      const { backupCodes } = await send({ code, ...trust });
      emitSessionEvent('MFA_CHALLENGE_VERIFIED');
      if (backupCodes) setCodes(backupCodes);
      else await onSignedIn();
    },
  });
  // The previous form unmounted and lost focus.
  useEffect(() => {
    if (typing) setFocus('code');
    else passkeyButton.current?.focus();
  }, [typing, setFocus]);
  if (codes) return <NewBackupCodes codes={codes} onSignedIn={onSignedIn} />;
  return (
    <form {...props} className="space-y-4">
      {!(withoutApp && typing) && (
        <p className="text-quiet">
          {setUp
            ? m.second_step_set_up_text()
            : typing
              ? m.second_step_text()
              : m.second_step_by_passkey_text()}
        </p>
      )}
      {setUp && <AuthenticatorKey setUp={setUp} />}
      {typing && (
        <TextField
          label={withoutApp ? m.second_step_backup_code() : m.second_step_code()}
          hint={setUp || withoutApp ? undefined : m.second_step_code_hint()}
          {...field('code')}
          autoComplete="one-time-code"
          inputMode={setUp ? 'numeric' : 'text'}
          autoCapitalize="characters"
        />
      )}
      {mayTrust && <TrustDevice trusts={trusts} onTrusts={setTrusts} />}
      {(failure ?? byPasskey?.failed) && (
        <Notice tone="destructive" title={m.accounts_error_title()}>
          {failure ?? byPasskey?.failed}
        </Notice>
      )}
      {typing ? (
        <Button type="submit" busy={busy} className="w-full">
          {m.accounts_sign_in()}
        </Button>
      ) : (
        <Button
          ref={passkeyButton}
          busy={byPasskey?.failed === null}
          className="w-full"
          onClick={() => void enterByPasskey(passkey!)}
        >
          {m.second_step_by_passkey()}
        </Button>
      )}
      <div className="flex flex-col items-center">
        {typing && usesPasskeys && (
          <Button
            variant="quiet"
            size="sm"
            busy={byPasskey?.failed === null}
            onClick={() => void enterByPasskey(passkey)}
          >
            {m.reauthentication_by_passkey()}
          </Button>
        )}
        {!typing && (
          <Button variant="quiet" size="sm" onClick={() => setTyping(true)}>
            {m.second_step_by_backup_code()}
          </Button>
        )}
        <Button variant="quiet" size="sm" onClick={onBack}>
          {m.accounts_back_to_sign_in()}
        </Button>
      </div>
    </form>
  );
}

/** Asks for a new challenge once one expired. */
function usePasskeyStep({
  firstAsked,
  trust,
  send,
  onSignedIn,
}: Pick<Step, 'send'> & {
  firstAsked: RequestOptions | undefined;
  trust: { trust?: boolean };
  onSignedIn: () => Promise<void>;
}) {
  const [passkey, setPasskey] = useState(firstAsked);
  const [byPasskey, setByPasskey] = useState<{ failed: string | null } | null>(null);
  const enterByPasskey = async (options: RequestOptions) => {
    setByPasskey({ failed: null });
    try {
      await send({ passkey: await signChallenge(options), ...trust });
      emitSessionEvent('MFA_CHALLENGE_VERIFIED');
      await onSignedIn();
    } catch (error) {
      setByPasskey({
        failed: isUnanswered(error) ? m.accounts_passkey_canceled() : identityErrorText(error),
      });
      if (failureReason(error) === 'passkey_expired') await askAgain();
    }
  };
  const askAgain = async () => {
    try {
      const { secondStep } = await send({});
      setPasskey(secondStep?.passkey);
    } catch (error) {
      setByPasskey({ failed: identityErrorText(error) });
    }
  };
  return { passkey, byPasskey, enterByPasskey };
}

function NewBackupCodes({
  codes,
  onSignedIn,
}: {
  codes: readonly string[];
  onSignedIn: () => Promise<void>;
}) {
  return (
    <div className="grid gap-4">
      <BackupCodes codes={codes} />
      <SecretField {...backupCodesFile(codes)} />
      <Button onClick={() => void onSignedIn()}>{m.second_step_go_on()}</Button>
    </div>
  );
}

function TrustDevice({ trusts, onTrusts }: { trusts: boolean; onTrusts: (trusts: boolean) => void }) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        checked={trusts}
        onChange={(event) => onTrusts(event.target.checked)}
        className="size-5 shrink-0 cursor-pointer accent-primary"
      />
      {m.trusted_devices_offer({ days: trustDays })}
    </label>
  );
}
