import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CalendarX } from 'lucide-react';
import { useState } from 'react';
import limits from 'virtual:limits/appointments.administration.cancel';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Fact } from '#/web/components/fact.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { dateText, momentText, shortDateText, timeText, zoneText } from '#/web/times.ts';
import type { AdministeredAppointment } from '../administration/contract.ts';
import type { OpenedAppointment } from '../contract.ts';
import { forBothProblem, useForBoth } from './admin-actions.ts';
import { Party } from './admin-party.tsx';
import { minutesText, sessionTitle, sessionTypeText } from './session-texts.ts';
import { StatusBadge } from './status-badge.tsx';

const AdminMoveDialog = lazyPart(async () => (await import('./admin-move-dialog.tsx')).AdminMoveDialog);

export function useAdminAppointment(appointmentId: string) {
  return useQuery(
    api.appointments.oversight.appointment.queryOptions({ input: { appointmentId }, retry: false }),
  );
}

/** An appointment's title, status and acts. */
export function AdminAppointmentHead({
  appointment,
  siteZone,
}: {
  appointment: OpenedAppointment;
  siteZone: string;
}) {
  const [opened, setOpened] = useState<'reschedule' | 'cancel' | null>(null);
  const { startsAt, endsAt, actions } = appointment;
  const close = () => setOpened(null);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-2xl">
          {sessionTitle(appointment)}
          <span className="font-sans">
            <StatusBadge appointment={appointment} party="provider" />
          </span>
        </h1>
        <p className="mt-1 text-lg">
          <time dateTime={startsAt}>
            {dateText(startsAt, siteZone)},{' '}
            <span className="whitespace-nowrap">
              {timeText(startsAt, siteZone)} – {timeText(endsAt, siteZone)}
            </span>
          </time>{' '}
          <span className="text-base text-quiet">{zoneText(siteZone)}</span>
        </p>
      </div>
      <div role="group" aria-label={m.web_actions()} className="flex flex-wrap gap-2">
        {actions.includes('reschedule') && (
          <Button variant="secondary" size="sm" onClick={() => setOpened('reschedule')}>
            <CalendarClock />
            {m.appointments_admin_move()}
          </Button>
        )}
        {actions.includes('cancel') && (
          <Button variant="secondary" size="sm" className="text-clay!" onClick={() => setOpened('cancel')}>
            <CalendarX />
            {m.appointments_admin_cancel()}
          </Button>
        )}
      </div>
      {opened === 'cancel' && (
        <AdminCancelDialog appointment={appointment} siteZone={siteZone} onClose={close} />
      )}
      {opened === 'reschedule' && (
        <AdminMoveDialog appointment={appointment} siteZone={siteZone} onClose={close} />
      )}
    </div>
  );
}

/** People, place and local times; no text. */
export function AdminAppointmentFacts({ appointment }: { appointment: OpenedAppointment }) {
  const { client, provider, clientTimeZone, sessionType, durationMinutes, place } = appointment;
  return (
    <dl className="grid gap-x-6 gap-y-4 border-t border-line pt-4 sm:grid-cols-3">
      <Fact name={m.appointments_admin_client()}>
        <Party person={client} />
        <TheirTime appointment={appointment} zone={clientTimeZone} />
      </Fact>
      <Fact name={m.appointments_admin_specialist()}>
        <Party person={provider} />
        <TheirTime appointment={appointment} zone={provider.timeZone} />
      </Fact>
      <Fact name={m.appointments_admin_where()}>
        {sessionTypeText(sessionType)}, {minutesText(durationMinutes)}
        {place && (
          <span className="block text-sm text-quiet">
            {place.name}, {place.address}
          </span>
        )}
        {sessionType === 'in-person' && !place && (
          <span className="block text-sm text-quiet">{m.appointments_admin_place_arranged()}</span>
        )}
      </Fact>
    </dl>
  );
}

/** When it was booked, and its reminders. */
export function AdminAppointmentLog({ appointment }: { appointment: OpenedAppointment }) {
  const { id, bookedAt, reminders } = appointment;
  const zone = useOwnZone();
  return (
    <dl className="grid gap-4 text-sm">
      <Fact name={m.appointments_admin_booked()}>{momentText(bookedAt, zone)}</Fact>
      <Fact name={m.appointments_admin_reminders()}>
        {reminders.length === 0 ? (
          m.appointments_admin_reminders_none()
        ) : (
          <ul className="grid gap-1">
            {reminders.map(({ id: reminder, name, dueAt, sentAt }) => (
              <li key={reminder}>
                {name}
                <span className="block text-quiet">
                  {sentAt
                    ? m.appointments_admin_reminder_sent({ when: momentText(sentAt, zone) })
                    : m.appointments_admin_reminder_due({ when: momentText(dueAt, zone) })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name={m.appointments_admin_id()}>
        <span className="break-all text-quiet tabular-nums">{id}</span>
      </Fact>
    </dl>
  );
}

function TheirTime({
  appointment: { startsAt, endsAt },
  zone,
}: {
  appointment: Pick<OpenedAppointment, 'startsAt' | 'endsAt'>;
  zone: string;
}) {
  return (
    <span className="mt-1 block text-sm">
      {shortDateText(startsAt, zone)}, {timeText(startsAt, zone)} – {timeText(endsAt, zone)}
      <span className="block text-quiet">{zoneText(zone)}</span>
    </span>
  );
}

function AdminCancelDialog({
  appointment: { id: appointmentId, sequence, client, provider, startsAt },
  siteZone,
  onClose,
}: {
  appointment: AdministeredAppointment;
  siteZone: string;
  onClose: () => void;
}) {
  const cancel = useForBoth(
    (reason: string) => api.appointments.administration.cancel.call({ appointmentId, sequence, reason }),
    () => {
      onClose();
      toast.done(m.appointments_admin_cancelled());
    },
  );
  const problem = cancel.isError && forBothProblem(cancel.error, { name: provider.name, existing: true });
  return (
    <ReasonDialog
      open
      onOpenChange={onClose}
      title={m.appointments_admin_cancel_title()}
      description={m.appointments_admin_cancel_text({
        client: client.name,
        provider: provider.name,
        when: m.web_date_time({
          date: dateText(startsAt, siteZone),
          time: timeText(startsAt, siteZone),
        }),
      })}
      confirmLabel={m.appointments_admin_cancel()}
      cancelLabel={m.booking_move_keep()}
      hint={m.appointments_admin_reason_hint()}
      limits={limits}
      busy={cancel.isPending}
      onConfirm={(reason) => cancel.mutate(reason)}
    >
      <FailureAlert {...problem} className="mt-4" />
    </ReasonDialog>
  );
}
