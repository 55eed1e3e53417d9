import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { dateText, timeText } from '#/web/times.ts';
import type { AppointmentAction, AppointmentView } from '../appointment/contract.ts';
import { appointmentFailure } from './failure-text.ts';
import { ReasonField } from './reason-field.tsx';
import { refetchAppointments } from './refetch-appointments.ts';

type Appointments = typeof api.appointments;

interface Question {
  act(
    appointments: Appointments,
    given: { appointmentId: string; reason?: string },
  ): Promise<AppointmentView>;
  title(about: { name: string }): string;
  text(about: { name: string; when: string }): string;
  confirm(): string;
  done(): string;
  tone: 'destructive' | 'primary';
  asksReason?: boolean;
}

const questions = {
  decline: {
    act: (appointments, given) => appointments.decline.call(given),
    title: m.booking_decline_title,
    text: m.booking_decline_text,
    confirm: m.booking_action_decline,
    done: m.booking_decline_done,
    tone: 'destructive',
    asksReason: true,
  },
  complete: {
    act: (appointments, { appointmentId }) => appointments.complete.call({ appointmentId }),
    title: m.booking_complete_title,
    text: m.booking_complete_text,
    confirm: m.booking_action_complete,
    done: m.booking_complete_done,
    tone: 'primary',
  },
  mark_no_show: {
    act: (appointments, { appointmentId }) => appointments.markNoShow.call({ appointmentId }),
    title: m.booking_no_show_title,
    text: m.booking_no_show_text,
    confirm: m.booking_action_no_show,
    done: m.booking_no_show_done,
    tone: 'destructive',
  },
  mark_emergency: {
    act: (appointments, { appointmentId }) => appointments.markEmergency.call({ appointmentId }),
    title: m.booking_emergency_title,
    text: m.booking_emergency_text,
    confirm: m.booking_action_emergency,
    done: m.booking_emergency_done,
    tone: 'primary',
  },
} satisfies Partial<Record<AppointmentAction, Question>>;

/** Actions confirmed by a simple question; others have their own dialogs. */
export type AskedAction = keyof typeof questions;

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
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const question: Question = questions[action];
  const { id: appointmentId, client, provider, startsAt } = appointment;
  const name = client?.name ?? provider.name;
  const when = m.web_date_time({
    date: dateText(startsAt, timeZone),
    time: timeText(startsAt, timeZone),
  });
  const act = useMutation({
    mutationFn: () => question.act(api.appointments, { appointmentId, reason: reason.trim() || undefined }),
    onSuccess: async () => {
      // Waits until the list behind shows the change.
      await refetchAppointments(queries);
      onOpenChange(false);
      toast.done(question.done());
    },
    onError: (error) => {
      // A refusal may mean this screen is stale.
      if (isRefusal(error)) void refetchAppointments(queries);
    },
  });
  return (
    <ConfirmDialog
      open={open}
      act={act}
      failure={(error) => appointmentFailure(error, { name: provider.name, existing: true })}
      onClose={() => onOpenChange(false)}
      title={question.title({ name })}
      description={question.text({ name, when })}
      confirmLabel={question.confirm()}
      cancelLabel={m.booking_action_back()}
      tone={question.tone}
      onConfirm={() => act.mutate()}
    >
      {question.asksReason && <ReasonField value={reason} onChange={setReason} />}
      {open && act.isIdle && !appointment.actions.includes(action) && (
        <FailureAlert
          title={m.booking_problem_changed()}
          text={m.booking_changed_unsent()}
          className="mt-4"
        />
      )}
    </ConfirmDialog>
  );
}
