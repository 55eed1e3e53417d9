import { useMutation } from '@tanstack/react-query';
import { useState, type ComponentType } from 'react';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmAction, ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { SessionPlan } from '../users/contract.ts';
import { suspensionReasons, type SuspensionReason } from '../users/rules.ts';
import { type UserDialogProps, reasonTexts, userFailureText } from './users-texts.ts';

/** Injected, because later features implement it. */
export type SessionsPart = ComponentType<{
  providerId: string;
  tried: boolean;
  failure: unknown;
  onPlan: (plan: SessionPlan | null) => void;
}>;

export function SuspendDialog({ user, Sessions, onClose }: UserDialogProps & { Sessions: SessionsPart }) {
  const specialist = isProvider(user.role);
  const [plan, setPlan] = useState<SessionPlan | null>(specialist ? null : []);
  const [tried, setTried] = useState(false);
  const [reason, setReason] = useState<SuspensionReason>('conduct');
  const suspend = useMutation({
    ...api.directory.suspend.mutationOptions(),
    onSuccess: ({ name }) => {
      onClose();
      toast({ title: m.users_suspended_done(), description: m.users_suspended_text({ name }) });
    },
  });
  return (
    <ConfirmDialog
      act={suspend}
      failure={(error) => ({ title: m.users_suspend_failed(), text: userFailureText(error) })}
      onClose={onClose}
      title={m.users_suspend_title({ name: user.name })}
      description={specialist ? m.users_suspend_text_specialist() : m.users_suspend_text()}
      confirmLabel={m.users_suspend()}
      onConfirm={() => {
        setTried(true);
        if (plan) suspend.mutate({ userId: user.id, reason, sessions: plan });
      }}
    >
      <Field label={m.web_reason()} hint={m.users_suspend_reason_hint()}>
        <Select value={reason} onChange={(event) => setReason(event.target.value as SuspensionReason)}>
          <Options of={suspensionReasons} text={(one) => reasonTexts[one]()} />
        </Select>
      </Field>
      {specialist && (
        <div className="mt-5">
          <Sessions providerId={user.id} tried={tried} failure={suspend.error} onPlan={setPlan} />
        </div>
      )}
    </ConfirmDialog>
  );
}

export function ReactivateDialog({ user, onClose }: UserDialogProps) {
  return (
    <ConfirmAction
      act={() => api.directory.reactivate.call({ userId: user.id })}
      onDone={({ name }) => {
        onClose();
        toast.done(m.users_reactivated(), m.users_reactivated_text({ name }));
      }}
      failedTitle={m.users_reactivate_failed()}
      failureText={userFailureText}
      onClose={onClose}
      title={m.users_reactivate_title({ name: user.name })}
      description={isProvider(user.role) ? m.users_reactivate_text_specialist() : m.users_reactivate_text()}
      confirmLabel={m.users_reactivate()}
      tone="primary"
    />
  );
}
