import { useEffect, useRef, useState } from 'react';
import limits from 'virtual:limits/appointments.administration.reschedule';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { TextareaField } from '#/web/components/field.tsx';
import { toast } from '#/web/components/toast.tsx';
import { dateText, timeText } from '#/web/times.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';
import { forBothProblem, useForBoth } from './admin-actions.ts';
import { useFreeTimes } from './free-times-choice.ts';
import { NewTime, newTimeText } from './new-time.tsx';
import { ProblemNotice } from './problem-notice.tsx';

export function AdminMoveDialog({
  appointment,
  siteZone,
  onClose,
}: {
  appointment: AdministeredAppointment;
  siteZone: string;
  onClose: () => void;
}) {
  const { id, sequence, client, provider, durationMinutes, startsAt } = appointment;
  const [notice, setNotice] = useState<'kept' | 'waived'>('kept');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const problemRef = useRef<HTMLDivElement>(null);
  const times = useFreeTimes({
    providerId: provider.id,
    durationMinutes,
    zone: siteZone,
    moving: appointment,
    forBoth: { notice },
  });
  const move = useForBoth(
    (start: string) =>
      api.appointments.administration.reschedule.call({
        appointmentId: id,
        sequence,
        startsAt: start,
        notice,
        reason: reason.trim(),
      }),
    () => {
      onClose();
      toast.done(m.appointments_admin_moved());
    },
  );
  useEffect(() => {
    if (move.error) problemRef.current?.scrollIntoView({ block: 'nearest' });
  }, [move.error]);

  const { start } = times;
  const press = () => {
    setTried(true);
    if (!start) return;
    if (reason.trim() === '') reasonField.current?.focus();
    else move.mutate(start);
  };
  const choose = (next: string) => {
    move.reset();
    times.chooseStart(next);
  };
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
        when: m.web_date_time({ date: dateText(startsAt, siteZone), time: timeText(startsAt, siteZone) }),
      })}
      footer={
        <>
          <p aria-live="polite" className={start ? 'basis-full font-semibold' : 'absolute'}>
            {start && newTimeText(start, siteZone)}
          </p>
          <Button variant="secondary" onClick={onClose} disabled={move.isPending}>
            {m.booking_move_keep()}
          </Button>
          <Button ref={submit} busy={move.isPending} onClick={press}>
            {m.booking_move_confirm()}
          </Button>
        </>
      }
    >
      <NewTime times={{ ...times, chooseStart: choose }} tried={tried} appointment={appointment} />
      <div className="mt-4 border-t border-line pt-2">
        <Switch
          label={m.appointments_admin_notice()}
          description={m.appointments_admin_notice_text()}
          checked={notice === 'waived'}
          onChange={({ target }) => setNotice(target.checked ? 'waived' : 'kept')}
        />
      </div>
      <TextareaField
        label={m.web_reason()}
        hint={m.appointments_admin_reason_hint()}
        error={tried && reason.trim() === '' && m.web_reason_missing()}
        className="mt-4"
        ref={reasonField}
        rows={2}
        maxLength={limits.reason?.max}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <div ref={problemRef}>
        <ProblemNotice
          error={move.error}
          about={{ name: provider.name, existing: true }}
          describe={forBothProblem}
          zone={siteZone}
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
