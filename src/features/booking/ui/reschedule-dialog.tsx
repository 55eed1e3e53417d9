import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { AppointmentView, bookingContract } from '../contract.ts';
import { FreeTimes, useFreeTimes } from './free-times.tsx';
import { ProblemNotice } from './problem-notice.tsx';
import { dateText, shortDateText, timeText } from '#/web/times.ts';

/** Moves an appointment to another free time of its specialist. */
export function RescheduleDialog({
  open,
  onOpenChange,
  appointment,
  timeZone,
  chosen,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  appointment: AppointmentView;
  timeZone: string;
  /** A start that was chosen before the dialog opened. */
  chosen?: string | undefined;
}) {
  const api = useApi<{ booking: typeof bookingContract }>();
  const queries = useQueryClient();
  const { toast } = useToast();
  const submit = useRef<HTMLButtonElement>(null);
  const problemPlace = useRef<HTMLDivElement>(null);
  const [tried, setTried] = useState(false);
  const { id, provider, client, durationMinutes, startsAt } = appointment;
  const times = useFreeTimes({
    providerId: open ? provider.id : undefined,
    durationMinutes,
    zone: timeZone,
    moving: id,
    startsAt: chosen,
  });
  const move = useMutation({
    mutationFn: (start: string) => api.booking.reschedule.call({ appointmentId: id, startsAt: start }),
    networkMode: 'always',
    onSuccess: (moved) => {
      onOpenChange(false);
      toast({
        tone: 'success',
        title: m.booking_moved(),
        description:
          moved.status === 'pending' && !client
            ? m.booking_moved_waiting({ name: provider.name })
            : m.booking_date_time({
                date: dateText(moved.startsAt, timeZone),
                time: timeText(moved.startsAt, timeZone),
              }),
      });
    },
    onSettled: (_, error) => {
      if (!error || error instanceof AppError)
        void queries.invalidateQueries({ queryKey: api.booking.key() });
    },
  });
  useEffect(() => {
    if (move.error) problemPlace.current?.scrollIntoView({ block: 'nearest' });
  }, [move.error]);

  const { start } = times;
  const press = () => {
    setTried(true);
    if (start && start !== startsAt) move.mutate(start);
  };
  const choose = (next: string) => {
    move.reset();
    times.chooseStart(next);
  };
  const missing = tried && (!start || start === startsAt);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={m.booking_move_title()}
      description={m.booking_move_text({
        name: client?.name ?? provider.name,
        date: dateText(startsAt, timeZone),
        time: timeText(startsAt, timeZone),
      })}
      footer={
        <>
          <p aria-live="polite" className={start ? 'basis-full font-semibold' : 'absolute'}>
            {start &&
              m.booking_move_to({ date: shortDateText(start, timeZone), time: timeText(start, timeZone) })}
          </p>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {m.booking_move_keep()}
          </Button>
          <Button ref={submit} busy={move.isPending} onClick={press}>
            {m.booking_move_confirm()}
          </Button>
        </>
      }
    >
      <FreeTimes
        times={{ ...times, chooseStart: choose }}
        providerName={provider.name}
        durationMinutes={durationMinutes}
        dateError={missing && !times.date && m.booking_date_required()}
        timeError={missing && times.date && (start ? m.booking_move_same() : m.booking_time_required())}
      />
      <div ref={problemPlace}>
        <ProblemNotice
          error={move.error}
          about={{ name: provider.name, existing: true }}
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
