import { Clock, Mail, Phone } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmailText } from '#/web/components/email-text.tsx';
import type { AppointmentView } from '../appointment/contract.ts';
import { SessionTimes } from './session-times.tsx';
import { AppointmentActions } from './appointment-actions.tsx';
import type { AppointmentParts } from './parts.ts';
import { SessionPlace, sessionTypeIcons } from './session-place.tsx';
import { minutesText, reasonText, sessionTitle, sessionTypeText } from './session-texts.ts';
import { StatusBadge } from './status-badge.tsx';

export function AppointmentCard({
  appointment,
  timeZone,
  parts,
  children,
}: {
  appointment: AppointmentView;
  timeZone: string;
  parts: AppointmentParts;
  children?: ReactNode;
}) {
  const { client, provider, sessionType } = appointment;
  const reason = reasonText(appointment);
  const other = client ?? provider;
  // Unique: a screen can show it twice.
  const titleId = useId();
  return (
    <Card as="article" aria-labelledby={titleId}>
      <div className="flex items-start gap-4">
        <Avatar
          id={other.id}
          name={other.name}
          src={other.photoUrl}
          className="max-sm:size-10! max-sm:text-sm!"
        />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 id={titleId} className="text-lg">
              {client ? (
                <Link to={`/clients/${client.id}`} className="py-2.5 hover:underline">
                  {client.name}
                </Link>
              ) : (
                other.name
              )}
            </h3>
            <StatusBadge appointment={appointment} party={client ? 'provider' : 'client'} />
            {client && <KindBadge kind={appointment.kind} />}
          </div>
          <p className="text-quiet">{sessionTitle(appointment)}</p>
        </div>
      </div>
      <ul className="mt-4 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
        <Fact icon={<Clock />}>
          <SessionTimes appointment={appointment} timeZone={timeZone} />
        </Fact>
        <Fact icon={sessionTypeIcons[sessionType]}>
          {sessionTypeText(sessionType)} · {minutesText(appointment.durationMinutes)}
          <SessionPlace appointment={appointment} />
        </Fact>
        {client?.email && (
          <Fact tall icon={<Mail />}>
            <a
              href={`mailto:${client.email}`}
              className="inline-flex items-center text-primary hover:underline pointer-coarse:min-h-11"
            >
              <EmailText email={client.email} />
            </a>
          </Fact>
        )}
        {client?.phone && (
          <Fact tall icon={<Phone />}>
            <a
              href={telephone(client.phone)}
              className="inline-flex items-center text-primary hover:underline pointer-coarse:min-h-11"
            >
              {client.phone}
            </a>
          </Fact>
        )}
        <parts.GuestLine appointment={appointment} />
      </ul>
      {reason && <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 text-sm">{reason}</p>}
      <div className="mt-5 flex flex-wrap items-center gap-2 empty:hidden">
        {children}
        <AppointmentActions appointment={appointment} timeZone={timeZone} parts={parts} />
      </div>
    </Card>
  );
}

function telephone(number: string): string {
  return `tel:${number.replace(/[^+\d]/g, '')}`;
}

function Fact({
  icon,
  tall = false,
  children,
}: {
  icon: ReactNode;
  /** As tall as a finger, in one line. */
  tall?: boolean;
  children: ReactNode;
}) {
  return (
    <li className={classes('flex gap-2.5', tall ? 'items-center' : 'items-start')}>
      <span aria-hidden className={classes('shrink-0 text-quiet [&_svg]:size-4.5', !tall && 'mt-1')}>
        {icon}
      </span>
      <span className="min-w-0">{children}</span>
    </li>
  );
}

function KindBadge({ kind }: { kind: AppointmentView['kind'] }) {
  if (kind === 'emergency') return <Badge tone="clay">{m.booking_kind_emergency()}</Badge>;
  return (
    <Badge>{kind === 'consultation' ? m.booking_kind_consultation() : m.booking_kind_follow_up()}</Badge>
  );
}
