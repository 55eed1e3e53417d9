import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'react-router';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { isUnclaimed } from '#/features/accounts/rules.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import type { AdministeredAppointment } from '../administration/contract.ts';
import { datedText, sessionTitle, sessionTypeText } from './session-texts.ts';
import { StatusBadge } from './status-badge.tsx';

/** For administrators: a person's next and latest appointments, as client or provider. */
export function PersonAppointments({ personId, siteZone }: { personId: string; siteZone: string }) {
  const query = useQuery(
    api.appointments.oversight.person.queryOptions({ input: { personId }, retry: false }),
  );
  return (
    <section aria-labelledby="appointments" className="min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="appointments" className="text-lg">
          {m.appointments_admin_title()}
        </h2>
        {query.data?.more && (
          <Link
            to={`/admin/appointments?person=${personId}`}
            className="text-sm font-semibold text-primary hover:underline max-lg:py-3"
          >
            {m.appointments_admin_all_of()}
          </Link>
        )}
      </div>
      <Fetched query={query} failure={m.appointments_admin_failed()} skeleton={<Skeleton className="h-32" />}>
        {({ next, recent }) =>
          next.length + recent.length === 0 ? (
            <p className="border-t border-line py-2 text-quiet">{m.appointments_admin_of_none()}</p>
          ) : (
            <>
              <Rows
                title={m.appointments_admin_next()}
                none={m.appointments_admin_next_none()}
                appointments={next}
                personId={personId}
                siteZone={siteZone}
              />
              <Rows
                title={m.appointments_admin_recent()}
                none={m.appointments_admin_recent_none()}
                appointments={recent}
                personId={personId}
                siteZone={siteZone}
              />
            </>
          )
        }
      </Fetched>
    </section>
  );
}

function Rows({
  title,
  none,
  appointments,
  personId,
  siteZone,
}: {
  title: string;
  none: string;
  appointments: readonly AdministeredAppointment[];
  personId: string;
  siteZone: string;
}) {
  const id = useId();
  return (
    <>
      <h3 id={id} className="mt-2 font-sans text-sm font-semibold text-quiet">
        {title}
      </h3>
      {appointments.length === 0 ? (
        <p className="border-t border-line py-1.5 text-sm text-quiet">{none}</p>
      ) : (
        <ul aria-labelledby={id} className="border-t border-line text-sm">
          {appointments.map((appointment) => (
            <Row key={appointment.id} appointment={appointment} personId={personId} siteZone={siteZone} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({
  appointment,
  personId,
  siteZone,
}: {
  appointment: AdministeredAppointment;
  personId: string;
  siteZone: string;
}) {
  const { id, startsAt, client, provider, sessionType } = appointment;
  const other = client.id === personId ? provider : client;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line py-1.5 sm:grid-cols-[11.5rem_minmax(0,1fr)_auto]">
      <Link
        to={`/admin/appointments/${id}`}
        className="font-semibold text-primary hover:underline max-sm:-mt-1.5 max-sm:inline-block max-sm:py-3 sm:max-lg:-my-3 sm:max-lg:py-3"
      >
        <time dateTime={startsAt}>{datedText(startsAt, siteZone)}</time>
      </Link>
      <p className="min-w-0 wrap-anywhere max-sm:order-last max-sm:col-span-2">
        {isUnclaimed(other) ? (
          other.name
        ) : (
          <PersonLink id={other.id} className="underline">
            {other.name}
          </PersonLink>
        )}
        <span className="text-quiet">
          {' · '}
          {sessionTitle(appointment)} · {sessionTypeText(sessionType)}
        </span>
      </p>
      <StatusBadge appointment={appointment} party="provider" />
    </li>
  );
}
