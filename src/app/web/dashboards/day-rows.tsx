import { useState, useId } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Mail, NotebookPen, Phone, Video } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { AppointmentActions } from '#/features/appointments/ui/appointment-actions.tsx';
import {
  callText,
  locationText,
  minutesText,
  reasonText,
  sessionTitle,
  sessionTypeText,
} from '#/features/appointments/ui/session-texts.ts';
import { StatusBadge } from '#/features/appointments/ui/status-badge.tsx';
import { MessageLink } from '#/features/messaging/ui/send-message.tsx';
import { roomHours } from '#/features/video/rules.ts';
import { SessionLink } from '#/features/video/ui/session-link.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { classes } from '#/web/components/classes.ts';
import type { MenuItem } from '#/web/components/menu.tsx';
import { dateText, shortDateText, timeText } from '#/web/times.ts';
import { appointmentParts } from '#/app/web/appointment-parts.ts';
import { NoteLink, noteTo } from './note-link.tsx';

const page = 5;

/** A provider's sessions. `dated` lists several days, and begins with the first few; `ofClient` lists all of one client. */
export function DayRows({
  appointments,
  timeZone,
  now,
  dated = false,
  ofClient = false,
}: {
  appointments: readonly AppointmentView[];
  timeZone: string;
  now: number;
  dated?: boolean;
  ofClient?: boolean;
}) {
  const [pressed, setPressed] = useState(page);
  const shown = dated && !ofClient ? pressed : appointments.length;
  return (
    <>
      <Card className="p-0!">
        <ul className="divide-y divide-line">
          {appointments.slice(0, shown).map(
            (appointment) =>
              appointment.client && (
                <li key={appointment.id}>
                  <DayRow
                    appointment={appointment}
                    client={appointment.client}
                    timeZone={timeZone}
                    now={now}
                    dated={dated}
                    ofClient={ofClient}
                  />
                </li>
              ),
          )}
        </ul>
      </Card>
      {appointments.length > shown && (
        <Button variant="secondary" className="mt-3" onClick={() => setPressed(pressed + page)}>
          {m.web_show_more()}
        </Button>
      )}
    </>
  );
}

export function DayRowsSkeleton({ count = 3 }: { count?: number }) {
  return (
    <Card className="divide-y divide-line p-0!">
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex items-center gap-4 px-4 py-2.5 max-sm:py-5.5">
          <Skeleton className="h-5 w-16" />
          <div className="flex-1 space-y-2">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
          <Skeleton className="h-11 w-28" />
        </div>
      ))}
    </Card>
  );
}

type Client = NonNullable<AppointmentView['client']>;

/** A provider's session in one line; on phones, in three. */
function DayRow({
  appointment,
  client,
  timeZone,
  now,
  dated,
  ofClient,
}: {
  appointment: AppointmentView;
  client: Client;
  timeZone: string;
  now: number;
  /** Shows the date, which a day's list names in its heading. */
  dated: boolean;
  /** On the client's own page, whose name it doesn't repeat. */
  ofClient: boolean;
}) {
  // An appointment can appear twice on a screen.
  const titleId = useId();
  const { status, kind, startsAt, durationMinutes, actions } = appointment;
  const settled = status === 'completed' || status === 'no_show';
  const reason = reasonText(appointment);
  const pending = actions.includes('confirm');
  return (
    <article
      aria-labelledby={titleId}
      className={classes(
        'grid items-center gap-x-3 px-4 py-2.5 xs:grid-cols-[minmax(0,1fr)_auto]',
        dated
          ? 'sm:grid-cols-[6.25rem_minmax(0,1fr)_5.75rem_15.75rem]'
          : 'sm:grid-cols-[5rem_minmax(0,1fr)_5.75rem_15.75rem]',
      )}
    >
      <div
        className={classes(
          'flex flex-wrap items-center gap-x-2 sm:contents',
          pending && 'xs:max-sm:col-span-2',
        )}
      >
        <p>
          <time dateTime={startsAt} className={classes('block font-semibold', settled && 'text-quiet')}>
            <span className={dated ? 'max-sm:mr-2 sm:block' : 'sr-only'}>
              {dated ? shortDateText(startsAt, timeZone) : `${dateText(startsAt, timeZone)}, `}
            </span>
            <span className="tabular-nums">{timeText(startsAt, timeZone)}</span>
          </time>
          <span className="text-sm text-quiet max-sm:hidden">{minutesText(durationMinutes)}</span>
        </p>
        <p className="flex items-center gap-x-2 text-sm sm:col-start-3 sm:row-start-1 sm:flex-col sm:items-start">
          <StatusBadge appointment={appointment} party="provider" />
          {kind === 'emergency' ? (
            <Badge tone="clay">{m.booking_kind_emergency()}</Badge>
          ) : (
            <span className="text-quiet max-sm:hidden">{kindTexts[kind]()}</span>
          )}
        </p>
      </div>
      <div className="max-sm:contents">
        <h3 id={titleId} className={classes('text-base wrap-anywhere', pending && 'xs:max-sm:col-span-2')}>
          {ofClient ? (
            sessionTitle(appointment)
          ) : (
            <Link
              to={`/clients/${client.id}`}
              className={classes('py-3 hover:underline', settled && 'font-normal text-quiet')}
            >
              {client.name}
            </Link>
          )}
        </h3>
        <div className="text-sm xs:max-sm:col-span-2">
          <SessionSummary appointment={appointment} titled={!ofClient} settled={settled} />
          <ul className="empty:hidden">
            <appointmentParts.GuestLine appointment={appointment} />
          </ul>
          {reason && <p>{reason}</p>}
        </div>
      </div>
      <div
        className={classes(
          'flex flex-wrap items-center justify-end gap-1.5',
          pending
            ? 'mt-1.5 xs:max-sm:col-span-2 sm:mt-0'
            : 'xs:max-sm:col-start-2 xs:max-sm:row-span-2 xs:max-sm:row-start-1',
        )}
      >
        <RowActions
          appointment={appointment}
          client={client}
          timeZone={timeZone}
          settled={settled}
          over={now >= closingTime(appointment)}
        />
      </div>
    </article>
  );
}

function SessionSummary({
  appointment,
  titled,
  settled,
}: {
  appointment: AppointmentView;
  titled: boolean;
  settled: boolean;
}) {
  const { kind, durationMinutes, sessionType, calledAt } = appointment;
  return (
    <p className="flex gap-x-1.5 text-quiet [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0 sm:[&>svg]:hidden">
      {sessionType === 'online' && <Video aria-hidden />}
      {sessionType === 'phone' && <Phone aria-hidden />}
      <span>
        {titled && sessionTitle(appointment)}
        <span className={titled ? 'max-sm:sr-only' : undefined}>
          {titled && ' · '}
          {sessionTypeText(sessionType)}
        </span>
        {sessionType === 'in-person' && !settled && `, ${locationText(appointment)}`}
        <span className="sm:hidden">
          {` · ${minutesText(durationMinutes)}`}
          {kind !== 'emergency' && ` · ${kindTexts[kind]()}`}
        </span>
        {sessionType === 'phone' && !calledAt && !settled && (
          <span className="block">{callText(appointment)}</span>
        )}
      </span>
    </p>
  );
}

function RowActions({
  appointment,
  client,
  timeZone,
  settled,
  over,
}: {
  appointment: AppointmentView;
  client: Client;
  timeZone: string;
  settled: boolean;
  over: boolean;
}) {
  const { id, status, provider } = appointment;
  const more = useMoreItems(appointment, client, { note: !over && !settled });
  return (
    <>
      {settled || (status === 'confirmed' && over) ? (
        <NoteLink client={client} appointmentId={id} size="compact" />
      ) : (
        <SessionLink appointment={appointment} timeZone={timeZone} size="compact" />
      )}
      <AppointmentActions
        appointment={appointment}
        timeZone={timeZone}
        parts={appointmentParts}
        more={more}
        compact
      >
        {provider.takesMessages && client.takesMessages && <MessageLink {...client} size="icon" />}
      </AppointmentActions>
    </>
  );
}

const kindTexts = { consultation: m.booking_kind_consultation, 'follow-up': m.booking_kind_follow_up };

function closingTime({ startsAt, endsAt }: AppointmentView): number {
  return roomHours({ start: Date.parse(startsAt), end: Date.parse(endsAt) }).closes;
}

function useMoreItems(
  { id }: AppointmentView,
  client: Client,
  { note }: { note: boolean },
): readonly MenuItem[] {
  const navigate = useNavigate();
  const { email, phone } = client;
  return [
    ...(note
      ? [
          {
            label: m.care_sessions_write_note(),
            icon: <NotebookPen />,
            onSelect: () => void navigate(noteTo(client, id)),
          },
        ]
      : []),
    ...(email ? [{ label: email, icon: <Mail />, href: `mailto:${email}` }] : []),
    ...(phone ? [{ label: phone, icon: <Phone />, href: `tel:${phone.replaceAll(/[^+\d]/g, '')}` }] : []),
  ];
}
