import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useRequestKey } from '#/web/request-key.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import { useFreeTimes } from './free-times-choice.ts';
import { NewTime, newTimeText } from './new-time.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { clashTitle, SeriesMovePlan, useSeriesMove } from './series-move.tsx';
import { ScopeChoice, StayingSessions, useSeries, type Scope } from './series-scope.tsx';
import { dateText, timeText } from '#/web/times.ts';
import { refetchAppointments } from './refetch-appointments.ts';

export function RescheduleDialog({
  open,
  onOpenChange,
  appointment,
  timeZone,
  chosen,
  scope: first = 'this',
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  appointment: AppointmentView;
  timeZone: string;
  chosen?: string | undefined;
  scope?: Scope;
}) {
  const submit = useRef<HTMLButtonElement>(null);
  const problemRef = useRef<HTMLDivElement>(null);
  const [tried, setTried] = useState(false);
  const series = useSeries(appointment, open, first);
  const { scope } = series;
  const { provider, durationMinutes } = appointment;
  const times = useFreeTimes({
    providerId: open ? provider.id : undefined,
    durationMinutes,
    zone: timeZone,
    moving: appointment,
    scope: scope === 'this' ? undefined : scope,
    startsAt: chosen,
    onFirstDate: true,
  });
  const plan = useSeriesMove(appointment, scope, times.start);
  const reached = series.within(scope);
  const stays = reached.filter(({ actions }) => scope !== 'this' && !actions.includes('reschedule'));
  const move = useReschedule(appointment, scope, {
    chosen: reached.filter((one) => plan.goes.some(({ appointmentId }) => appointmentId === one.id)),
    onMoved: (moved) => {
      onOpenChange(false);
      toast({ tone: 'success', ...movedText(moved, appointment, timeZone) });
    },
    onRefused: () => plan.setLeaves(false),
  });
  useEffect(() => {
    if (move.error) problemRef.current?.scrollIntoView({ block: 'nearest' });
  }, [move.error]);

  const { start } = times;
  const press = () => {
    setTried(true);
    if (!start) return;
    if (scope !== 'this' && !plan.plan.isSuccess) return;
    if (plan.clashes.length === 0 || (plan.leaves && !plan.needsOther)) {
      move.mutate(start);
      return;
    }
    problemRef.current?.scrollIntoView({ block: 'nearest' });
    problemRef.current?.querySelector('input')?.focus();
  };
  const startOver = () => {
    move.reset();
    plan.setLeaves(false);
  };
  const choose = (next: string) => {
    startOver();
    times.chooseStart(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={m.booking_move_title()}
      description={descriptionOf(appointment, scope, timeZone)}
      footer={
        <>
          <Outcome start={start} plan={plan} told={appointment.client?.name} timeZone={timeZone} />
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {m.booking_move_keep()}
          </Button>
          <Button ref={submit} busy={move.isPending || (plan.asked && plan.plan.isFetching)} onClick={press}>
            {plan.goes.length > 1 && !plan.needsOther
              ? m.booking_move_series_confirm({ count: plan.goes.length })
              : m.booking_move_confirm()}
          </Button>
        </>
      }
    >
      <ScopeChoice series={series} onChange={startOver} timeZone={timeZone} />
      <NewTime times={{ ...times, chooseStart: choose }} tried={tried} appointment={appointment} />
      <div ref={problemRef}>
        <SeriesMovePlan move={plan} name={provider.name} timeZone={timeZone} tried={tried} />
        <StayingSessions sessions={stays} name={provider.name} timeZone={timeZone} />
        <ProblemNotice
          error={move.error}
          about={{ name: provider.name, existing: true, series: scope !== 'this' }}
          zone={timeZone}
          onChoose={(next) => {
            choose(next);
            submit.current?.focus();
          }}
          className="mt-6"
        />
      </div>
    </Dialog>
  );
}

function descriptionOf(
  { client, provider, startsAt }: AppointmentView,
  scope: Scope,
  timeZone: string,
): string {
  return (scope === 'this' ? m.booking_move_text : m.booking_move_series_text)({
    name: client?.name ?? provider.name,
    date: dateText(startsAt, timeZone),
    time: timeText(startsAt, timeZone),
  });
}

function Outcome({
  start,
  plan,
  told,
  timeZone,
}: {
  start: string | null;
  plan: ReturnType<typeof useSeriesMove>;
  told: string | undefined;
  timeZone: string;
}) {
  return (
    <p aria-live="polite" className={start ? 'basis-full font-semibold' : 'absolute'}>
      {start && newTimeText(start, timeZone)}
      {start && told && (
        <span className="block text-sm font-normal text-quiet">{m.booking_move_told({ name: told })}</span>
      )}
      {plan.clashes.length > 0 && (
        <span aria-hidden className="block text-sm text-clay">
          {clashTitle(plan.clashes.length, plan.moves.length)}
        </span>
      )}
    </p>
  );
}

/** Moves the appointment, or the `chosen` sessions of its series, if unchanged since shown. */
function useReschedule(
  { id }: AppointmentView,
  scope: Scope,
  {
    chosen,
    onMoved,
    onRefused,
  }: {
    chosen: readonly AppointmentView[];
    onMoved: (moved: AppointmentView[]) => void;
    onRefused: () => void;
  },
) {
  const queries = useQueryClient();
  const keyOf = useRequestKey();
  return useMutation({
    mutationFn: async (start: string) => {
      if (scope === 'this')
        return [await api.appointments.reschedule.call({ appointmentId: id, startsAt: start })];
      const request = {
        appointmentId: id,
        scope,
        startsAt: start,
        chosen: chosen.map((one) => ({ appointmentId: one.id, sequence: one.sequence })),
      };
      return api.appointments.series.reschedule.call({ ...request, idempotencyKey: keyOf(request) });
    },
    onSuccess: async (moved) => {
      // First, so the page shows the new time.
      await refetchAppointments(queries);
      onMoved(moved);
      void queries.invalidateQueries({ queryKey: api.appointments.series.key() });
    },
    onSettled: (_, error) => {
      if (!isRefusal(error)) return;
      onRefused();
      void refetchAppointments(queries);
      void queries.invalidateQueries({ queryKey: api.appointments.series.key() });
    },
  });
}

function movedText(
  moved: readonly AppointmentView[],
  { id, client, provider }: AppointmentView,
  timeZone: string,
): { title: string; description?: string } {
  const waits = !client && moved.some(({ status }) => status === 'pending');
  const { startsAt } = moved.find((one) => one.id === id)!;
  if (moved.length > 1) {
    return {
      title: m.booking_moved_series({ count: moved.length }),
      ...(waits ? { description: m.booking_moved_series_waiting({ name: provider.name }) } : {}),
    };
  }
  return {
    title: m.booking_moved(),
    description: waits
      ? m.booking_moved_waiting({ name: provider.name })
      : m.web_date_time({ date: dateText(startsAt, timeZone), time: timeText(startsAt, timeZone) }),
  };
}
