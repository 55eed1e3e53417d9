import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useRequestKey } from '#/web/request-key.ts';
import { dateText, timeText } from '#/web/times.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import { appointmentFailure } from './failure-text.ts';
import { ReasonField } from './reason-field.tsx';
import { ScopeChoice, SessionList, StayingSessions, useSeries, type Scope } from './series-scope.tsx';
import { refetchAppointments } from './refetch-appointments.ts';

export function CancelDialog({
  appointment,
  timeZone,
  open,
  onOpenChange,
  scope: first = 'this',
}: {
  appointment: AppointmentView;
  timeZone: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  scope?: Scope;
}) {
  const queries = useQueryClient();
  const keyOf = useRequestKey();
  const [reason, setReason] = useState('');
  const series = useSeries(appointment, open, first);
  const { scope } = series;
  const reached = series.within(scope);
  const goes = scope === 'this' ? reached : reached.filter(isOpen);
  const stays = reached.filter((one) => !goes.includes(one));
  const { id: appointmentId, client, provider, startsAt } = appointment;
  const name = client?.name ?? provider.name;
  const several = scope !== 'this';

  const cancel = useMutation({
    // As when pressed, since the notice may arrive before the response.
    mutationFn: async (asked: { scope: Scope; goes: readonly AppointmentView[] }) => {
      const why = reason.trim() || undefined;
      if (asked.scope === 'this') return api.appointments.cancel.call({ appointmentId, reason: why });
      const request = {
        appointmentId,
        scope: asked.scope,
        chosen: asked.goes.map(({ id, sequence }) => ({ appointmentId: id, sequence })),
        reason: why,
      };
      return api.appointments.series.cancel.call({ ...request, idempotencyKey: keyOf(request) });
    },
    onSuccess: async (_, asked) => {
      // Refetch before closing, so the list is current.
      await refetchAppointments(queries);
      onOpenChange(false);
      void queries.invalidateQueries({ queryKey: api.appointments.series.key() });
      toast.done(
        asked.goes.length > 1
          ? m.booking_cancel_series_done({ count: asked.goes.length })
          : m.booking_cancel_done(),
      );
    },
    onSettled: (_answer, error) => {
      // A refusal may mean stale data.
      if (!isRefusal(error)) return;
      void refetchAppointments(queries);
      void queries.invalidateQueries({ queryKey: api.appointments.series.key() });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      act={cancel}
      failure={(error) => appointmentFailure(error, { name: provider.name, existing: true, series: several })}
      onClose={() => onOpenChange(false)}
      title={several ? m.booking_cancel_series_title() : m.booking_cancel_title()}
      description={
        several
          ? m.booking_cancel_series_text({ name })
          : m.booking_cancel_text({
              name,
              when: m.web_date_time({
                date: dateText(startsAt, timeZone),
                time: timeText(startsAt, timeZone),
              }),
            })
      }
      confirmLabel={
        several && goes.length > 1
          ? m.booking_cancel_series_confirm({ count: goes.length })
          : m.booking_cancel_confirm()
      }
      cancelLabel={m.booking_action_back()}
      onConfirm={() => cancel.mutate({ scope, goes })}
    >
      <ScopeChoice
        series={series}
        onChange={cancel.reset}
        timeZone={timeZone}
        className="sm:[&>div]:grid-cols-1"
      />
      <div aria-live="polite">
        {several && (
          <div className="mb-6">
            <p className="font-semibold">{m.booking_cancels({ count: goes.length })}</p>
            <SessionList sessions={goes} timeZone={timeZone} />
            <StayingSessions sessions={stays} name={provider.name} timeZone={timeZone} />
          </div>
        )}
      </div>
      <ReasonField value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

/** Includes requests: specialists decline a pending appointment instead of canceling it. */
function isOpen({ actions }: AppointmentView): boolean {
  return actions.includes('cancel') || actions.includes('decline');
}
