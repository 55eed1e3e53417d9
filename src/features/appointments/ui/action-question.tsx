import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { dateText, timeText } from '#/web/times.ts';
import type { AppointmentAction, AppointmentView } from '../appointment/contract.ts';
import { appointmentFailure } from './failure-text.ts';
import { ReasonField } from './reason-field.tsx';
import { refetchAppointments } from './refetch-appointments.ts';

export type AskedAction = Exclude<AppointmentAction, 'reschedule' | 'cancel' | 'set_reminder'>;

interface Question {
  title: string;
  text: string;
  confirm: string;
  done: string;
  tone: 'destructive' | 'primary';
  reason: boolean;
}

/** Asks before an action that needs no more than a confirmation. */
export function ActionQuestion({
  action,
  appointment,
  timeZone,
  open,
  onOpenChange,
}: {
  action: AskedAction;
  appointment: AppointmentView;
  timeZone: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [reason, setReason] = useState('');
  const question = questionOf(action, appointment, timeZone);
  const act = useMutation({
    mutationFn: () => call(api.appointments, action, appointment.id, reason.trim() || undefined),
    networkMode: 'always',
    onSuccess: async () => {
      // Waits until the list behind shows the change.
      await refetchAppointments(queries, api);
      onOpenChange(false);
      toast({ tone: 'success', title: question.done });
    },
    onError: (error) => {
      // A refusal may mean this screen is stale.
      if (isRefusal(error)) void refetchAppointments(queries, api);
    },
  });
  const problem =
    act.isError && appointmentFailure(act.error, { name: appointment.provider.name, existing: true });
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => {
        if (!next) act.reset();
        onOpenChange(next);
      }}
      title={question.title}
      description={question.text}
      confirmLabel={question.confirm}
      cancelLabel={m.booking_action_back()}
      tone={question.tone}
      busy={act.isPending}
      onConfirm={() => act.mutate()}
    >
      {question.reason && <ReasonField value={reason} onChange={setReason} />}
      {problem && (
        <Notice tone="destructive" title={problem.title} className="mt-4">
          {problem.text}
        </Notice>
      )}
    </AlertDialog>
  );
}

type Appointments = ReturnType<typeof useApi>['appointments'];

async function call(
  appointments: Appointments,
  action: AskedAction,
  appointmentId: string,
  reason: string | undefined,
): Promise<AppointmentView> {
  switch (action) {
    case 'decline':
      return appointments.decline.call({ appointmentId, reason });
    case 'confirm':
      return appointments.confirm.call({ appointmentId });
    case 'complete':
      return appointments.complete.call({ appointmentId });
    case 'mark_no_show':
      return appointments.markNoShow.call({ appointmentId });
    case 'mark_emergency':
      return appointments.markEmergency.call({ appointmentId });
  }
}

function questionOf(
  action: AskedAction,
  { client, provider, startsAt }: AppointmentView,
  timeZone: string,
): Question {
  const name = client?.name ?? provider.name;
  const when = m.booking_date_time({
    date: dateText(startsAt, timeZone),
    time: timeText(startsAt, timeZone),
  });
  const gentle = { tone: 'primary', reason: false } as const;
  switch (action) {
    case 'decline':
      return {
        title: m.booking_decline_title(),
        text: m.booking_decline_text({ name, when }),
        confirm: m.booking_action_decline(),
        done: m.booking_decline_done(),
        tone: 'destructive',
        reason: true,
      };
    case 'confirm':
      return {
        title: m.booking_confirm_title(),
        text: m.booking_confirm_text({ name, when }),
        confirm: m.booking_action_confirm(),
        done: m.booking_confirm_done(),
        ...gentle,
      };
    case 'complete':
      return {
        title: m.booking_complete_title(),
        text: m.booking_complete_text({ name, when }),
        confirm: m.booking_action_complete(),
        done: m.booking_complete_done(),
        ...gentle,
      };
    case 'mark_no_show':
      return {
        title: m.booking_no_show_title({ name }),
        text: m.booking_no_show_text({ name, when }),
        confirm: m.booking_action_no_show(),
        done: m.booking_no_show_done(),
        tone: 'destructive',
        reason: false,
      };
    case 'mark_emergency':
      return {
        title: m.booking_emergency_title(),
        text: m.booking_emergency_text({ name, when }),
        confirm: m.booking_action_emergency(),
        done: m.booking_emergency_done(),
        ...gentle,
      };
  }
}
