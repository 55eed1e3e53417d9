import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import limits from 'virtual:limits/secondFactor.renewCodes';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmAction } from '#/web/components/confirm-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Field, PasswordInput, TextInput } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { KnownUsername } from '#/web/components/known-username.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useForm } from '#/web/form.tsx';
import type { SetUp } from '../second-factor/contract.ts';
import { AuthenticatorKey } from './authenticator-key.tsx';
import { BackupCodes, backupCodesFile } from './backup-codes.tsx';
import { PasskeyInstead } from './passkey-instead.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { factorFailureText } from './failure-text.ts';
import { missingProofs, proofText } from './field-errors.ts';
import { emitSessionEvent, onSessionEvent } from './session-events.ts';
import { useViewer } from './session.tsx';
import { TrustedDevices } from './trusted-devices.tsx';
import { RowAction, SettingRow } from './setting-row.tsx';

type Step =
  | { kind: 'password'; of: 'set_up' | 'codes' | 'remove' }
  | { kind: 'key'; setUp: SetUp }
  | { kind: 'codes'; backupCodes: readonly string[] };

export function SecondFactorCard() {
  const queries = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  const [step, setStep] = useState<Step | null>(null);
  const { data: state } = useQuery(api.secondFactor.get.queryOptions());
  const renew = useCallback(
    () => queries.invalidateQueries({ queryKey: api.secondFactor.get.queryKey() }),
    [queries],
  );
  useEffect(() => onSessionEvent((event) => void (event === 'MFA_CHALLENGE_VERIFIED' && renew())), [renew]);
  if (!state || (!state.active && !state.offered)) return null;
  const close = () => {
    setStep(null);
    void renew();
  };
  const changed = () => {
    setStep(null);
    // The pressed button may no longer exist.
    heading.current?.focus();
  };

  return (
    <SettingRow
      title={m.second_step_title()}
      heading={heading}
      badge={
        <Badge tone={state.active ? 'sage' : 'neutral'}>
          {state.active ? m.second_step_is_on() : m.second_step_is_off()}
        </Badge>
      }
      text={
        !state.active
          ? m.second_step_about()
          : state.byPasskey
            ? m.second_step_passkey_left({ count: state.codesLeft })
            : m.second_step_left({ count: state.codesLeft })
      }
      action={
        !state.active && (
          <RowAction
            about={m.second_step_title()}
            onClick={() => setStep({ kind: 'password', of: 'set_up' })}
          >
            {m.profile_set_up()}
          </RowAction>
        )
      }
    >
      {!state.active && <PasskeyInstead onCodes={(answered) => setStep({ kind: 'codes', ...answered })} />}
      {state.active && (
        <div className="flex flex-wrap gap-2">
          <RowAction onClick={() => setStep({ kind: 'password', of: 'codes' })}>
            {m.second_step_new_codes()}
          </RowAction>
          {state.byPasskey && (
            <Button variant="quiet" size="sm" onClick={() => setStep({ kind: 'password', of: 'set_up' })}>
              {m.second_step_by_app()}
            </Button>
          )}
          {!state.demanded && (
            <Button variant="quiet" size="sm" onClick={() => setStep({ kind: 'password', of: 'remove' })}>
              {m.web_turn_off()}
            </Button>
          )}
        </div>
      )}
      {state.active && <TrustedDevices onEmptied={() => heading.current?.focus()} />}
      {step && (
        <StepDialog
          step={step}
          byPasskey={state.byPasskey}
          onStep={setStep}
          renew={renew}
          onChanged={changed}
          onClose={close}
        />
      )}
    </SettingRow>
  );
}

function StepDialog({
  step,
  byPasskey,
  onStep,
  renew,
  onChanged,
  onClose,
}: {
  step: Step;
  /** Passkeys are the second step. */
  byPasskey: boolean;
  onStep: (step: Step) => void;
  renew: () => Promise<void>;
  onChanged: () => void;
  onClose: () => void;
}) {
  const showCodes = (answered: { backupCodes: string[] }) => onStep({ kind: 'codes', ...answered });
  const remove = async () => {
    await api.secondFactor.remove.call({});
  };
  const removed = () => {
    onChanged();
    toast.done(m.second_step_removed());
  };
  const confirmed = async (of: 'set_up' | 'codes' | 'remove', { password, code }: Typed) => {
    if (of === 'set_up')
      return onStep({ kind: 'key', setUp: await api.secondFactor.begin.call({ password }) });
    if (of === 'codes') return showCodes(await api.secondFactor.renewCodes.call({ password, code }));
    await api.secondFactor.remove.call({ password, code });
    removed();
  };
  const show = async ({ code }: Typed) => showCodes(await api.secondFactor.confirm.call({ code }));

  if (step.kind === 'codes')
    return (
      <SecretDialog
        title={m.second_step_codes()}
        kept={backupCodesFile(step.backupCodes)}
        onClose={onChanged}
      >
        <BackupCodes codes={step.backupCodes} />
      </SecretDialog>
    );
  if (step.kind === 'key')
    return (
      <Asked
        title={m.second_step_set_up()}
        description={m.second_step_set_up_text()}
        asks={['code']}
        save={show}
        onClose={onClose}
      >
        <AuthenticatorKey setUp={step.setUp} />
      </Asked>
    );
  if (step.of !== 'set_up' && byPasskey)
    return (
      <ConfirmAction<{ backupCodes: string[] } | void>
        act={step.of === 'codes' ? () => api.secondFactor.renewCodes.call({}) : remove}
        onDone={async (answered) => {
          await renew();
          if (answered) showCodes(answered);
          else removed();
        }}
        failureText={factorFailureText}
        title={titles[step.of]()}
        description={descriptions[step.of]()}
        confirmLabel={m.second_step_go_on()}
        onClose={onClose}
      />
    );
  return (
    <Asked
      key={step.of}
      title={titles[step.of]()}
      description={descriptions[step.of]()}
      asks={step.of === 'set_up' ? ['password'] : ['password', 'code']}
      save={(typed) => confirmed(step.of, typed)}
      onClose={onClose}
    />
  );
}

const titles = {
  set_up: m.second_step_set_up,
  codes: m.second_step_new_codes,
  remove: m.web_turn_off,
} as const;

const descriptions = {
  set_up: () => undefined,
  codes: m.second_step_new_codes_text,
  remove: m.second_step_remove_text,
} as const;

interface Typed {
  password: string;
  code: string;
}

function Asked({
  title,
  description,
  asks,
  save,
  onClose,
  children,
}: {
  title: string;
  description: string | undefined;
  asks: readonly (keyof Typed)[];
  save: (typed: Typed) => Promise<void>;
  onClose: () => void;
  children?: ReactNode;
}) {
  const form = useForm({
    values: Object.fromEntries(asks.map((name) => [name, ''])) as unknown as Typed,
    limits,
    check: (typed) => missingProofs(typed, asks),
    sentence: proofText,
    failureText: factorFailureText,
    save: async (typed) => {
      await save(typed);
      if (asks.includes('code')) emitSessionEvent('MFA_CHALLENGE_VERIFIED');
    },
  });
  const { register, errorOf } = form;
  const viewer = useViewer();
  return (
    <FormDialog
      title={title}
      description={description}
      submitLabel={m.second_step_go_on()}
      failedTitle={m.accounts_error_title()}
      form={form}
      onClose={onClose}
    >
      {children}
      {asks.includes('password') && (
        <>
          <KnownUsername email={viewer?.email} />
          <Field label={m.accounts_password()} error={errorOf('password')}>
            <PasswordInput {...register('password')} autoComplete="current-password" />
          </Field>
        </>
      )}
      {asks.includes('code') && (
        <Field
          label={m.second_step_code()}
          hint={asks.length > 1 ? m.second_step_code_hint() : undefined}
          error={errorOf('code')}
        >
          <TextInput
            {...register('code')}
            autoComplete="one-time-code"
            // Backup codes contain letters.
            inputMode={asks.length > 1 ? 'text' : 'numeric'}
          />
        </Field>
      )}
    </FormDialog>
  );
}
