import { useEffect, useRef, useState } from 'react';
import limits from 'virtual:limits/appointments.administration.reschedule';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { dateText, shortDateText, timeText } from '#/web/times.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';
import { forBothProblem, useForBoth } from './admin-acts.ts';
import { FreeTimes, useFreeTimes } from './free-times.tsx';
import { offeredStarts } from './problem-text.ts';

export function AdminMoveDialog({
  appointment,
  siteZone,
  onClose,
}: {
  appointment: AdministeredAppointment;
  siteZone: string;
  onClose: () => void;
}) {
  const { toast } = useToast();
  const { id, sequence, client, provider, durationMinutes, startsAt } = appointment;
  const [notice, setNotice] = useState<'kept' | 'waived'>('kept');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const problemPlace = useRef<HTMLDivElement>(null);
  const times = useFreeTimes({
    providerId: provider.id,
    durationMinutes,
    zone: siteZone,
    moving: id,
    forBoth: { notice },
  });
  const move = useForBoth(
    (administration, start: string) =>
      administration.reschedule.call({
        appointmentId: id,
        sequence,
        startsAt: start,
        notice,
        reason: reason.trim(),
      }),
    () => {
      onClose();
      toast({ tone: 'success', title: m.appointments_admin_moved() });
    },
  );
  useEffect(() => {
    if (move.error) problemPlace.current?.scrollIntoView({ block: 'nearest' });
  }, [move.error]);

  const { start } = times;
  const missing = tried && (!start || start === startsAt);
  const press = () => {
    setTried(true);
    if (!start || start === startsAt) return;
    if (reason.trim() === '') reasonField.current?.focus();
    else move.mutate(start);
  };
  const choose = (next: string) => {
    move.reset();
    times.chooseStart(next);
  };
  const problem = move.isError && forBothProblem(move.error, provider.name);
  const offered = offeredStarts(move.error);
  return (
    <Dialog
      open
      onOpenChange={() => {
        if (!move.isPending) onClose();
      }}
      size="lg"
      title={m.appointments_admin_move()}
      description={m.appointments_admin_move_text({
        client: client.name,
        provider: provider.name,
        when: m.booking_date_time({ date: dateText(startsAt, siteZone), time: timeText(startsAt, siteZone) }),
      })}
      footer={
        <>
          <p aria-live="polite" className={start ? 'basis-full font-semibold' : 'absolute'}>
            {start &&
              m.booking_move_to({ date: shortDateText(start, siteZone), time: timeText(start, siteZone) })}
          </p>
          <Button variant="secondary" onClick={onClose} disabled={move.isPending}>
            {m.booking_move_keep()}
          </Button>
          <Button busy={move.isPending} onClick={press}>
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
      <div className="mt-4 border-t border-line pt-2">
        <Switch
          label={m.appointments_admin_notice()}
          description={m.appointments_admin_notice_text()}
          checked={notice === 'waived'}
          onChange={({ target }) => setNotice(target.checked ? 'waived' : 'kept')}
        />
      </div>
      <Field
        label={m.appointments_admin_reason()}
        hint={m.appointments_admin_reason_hint()}
        error={tried && reason.trim() === '' && m.appointments_admin_reason_missing()}
        className="mt-4"
      >
        <Textarea
          ref={reasonField}
          rows={2}
          maxLength={limits.reason?.max}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <div ref={problemPlace}>
        {problem && (
          <Notice
            tone="destructive"
            title={problem.title}
            className="mt-6"
            action={
              offered.length > 0 && (
                <>
                  <p className="w-full text-sm font-semibold">{m.booking_next_free_times()}</p>
                  {offered.map((next) => (
                    <Button key={next} variant="secondary" size="sm" onClick={() => choose(next)}>
                      {m.booking_date_time({
                        date: shortDateText(next, siteZone),
                        time: timeText(next, siteZone),
                      })}
                    </Button>
                  ))}
                </>
              )
            }
          >
            {problem.text}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
