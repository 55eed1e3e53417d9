import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import limits from 'virtual:limits/appointments.handover.revoke';
import type { SessionPlan } from '#/features/accounts/users/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { TextareaField } from '#/web/components/field.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { dateText } from '#/web/times.ts';
import type { HandoverView } from '../handover/contract.ts';
import { HandoverSessions, useHandover } from './handover-sessions.tsx';
import { appointmentFailure } from './failure-text.ts';

export interface ApprovalDialogProps {
  user: { id: string; name: string };
  onClose: () => void;
}

export function ApprovalDialog({ user, onClose }: ApprovalDialogProps) {
  const query = useHandover(user.id);
  // Keeps the same dialog while the list refetches.
  if (query.data?.revoked) return <Restore user={user} onClose={onClose} revoked={query.data.revoked} />;
  if (query.data) return <Revoke user={user} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={m.approval_title()}
      footer={
        <Button variant="secondary" onClick={onClose}>
          {m.web_cancel()}
        </Button>
      }
    >
      <Fetched query={query} failure={m.approval_failed_load()} skeleton={<Skeleton className="h-40" />}>
        {() => null}
      </Fetched>
    </Dialog>
  );
}

function Revoke({ user: { id, name }, onClose }: ApprovalDialogProps) {
  const changed = useApprovalChanged();
  const [reason, setReason] = useState('');
  const [plan, setPlan] = useState<SessionPlan | null>(null);
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const revoke = useMutation({
    ...api.appointments.handover.revoke.mutationOptions(),
    onSuccess: () => {
      changed();
      onClose();
      toast({ title: m.approval_revoked(), description: m.approval_revoked_text({ name }) });
    },
  });
  const confirm = () => {
    setTried(true);
    if (reason.trim() === '') field.current?.focus();
    else if (plan) revoke.mutate({ providerId: id, reason: reason.trim(), sessions: plan });
  };
  return (
    <ConfirmDialog
      act={revoke}
      failure={(error) => ({
        title: m.approval_revoke_failed(),
        text: appointmentFailure(error, { name, existing: true }).text,
      })}
      onClose={onClose}
      title={m.approval_revoke_title({ name })}
      description={m.approval_revoke_text()}
      confirmLabel={m.approval_revoke()}
      onConfirm={confirm}
    >
      <TextareaField
        label={m.web_reason()}
        hint={m.approval_reason_hint()}
        error={tried && reason.trim() === '' && m.web_reason_missing()}
        className="mb-5"
        ref={field}
        rows={2}
        maxLength={limits.reason?.max}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <HandoverSessions providerId={id} tried={tried} failure={revoke.error} onPlan={setPlan} />
    </ConfirmDialog>
  );
}

function Restore({
  user: { id, name },
  revoked,
  onClose,
}: ApprovalDialogProps & { revoked: NonNullable<HandoverView['revoked']> }) {
  const changed = useApprovalChanged();
  const zone = useOwnZone();
  const restore = useMutation({
    ...api.appointments.handover.restore.mutationOptions(),
    onSuccess: () => {
      changed();
      onClose();
      toast.done(m.approval_restored(), m.approval_restored_text({ name }));
    },
  });
  return (
    <ConfirmDialog
      act={restore}
      failure={(error) => ({
        title: m.approval_restore_failed(),
        text: appointmentFailure(error, { name, existing: true }).text,
      })}
      onClose={onClose}
      title={m.approval_restore_title({ name })}
      description={m.approval_restore_text()}
      confirmLabel={m.approval_restore()}
      tone="primary"
      onConfirm={() => restore.mutate({ providerId: id })}
    >
      <p className="text-sm text-quiet">{m.approval_revoked_on({ date: dateText(revoked.at, zone) })}</p>
      <p className="mt-2 rounded-control bg-sunken px-4 py-2.5 wrap-anywhere whitespace-pre-line">
        {m.applications_reason_given({ reason: revoked.reason })}
      </p>
    </ConfirmDialog>
  );
}

function useApprovalChanged() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: api.appointments.handover.key() });
}
