import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Viewer } from '#/features/accounts/contract.ts';
import { graceDays } from '#/features/accounts/deletion/rules.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { accountFailureText } from '#/features/accounts/ui/failure-text.ts';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { dateText, timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { day, iso, year } from '../dashboards/days.ts';

/** Lists the sessions an account deletion would cancel, and those still taking place. */
export function CancelledSessions({ viewer }: { viewer: Viewer }) {
  const api = useApi();
  const timeZone = useOwnZone();
  const [now] = useState(() => Date.now());
  const end = now + graceDays * day;
  const query = useQuery({
    ...api.appointments.mine.queryOptions({ input: { from: iso(now), to: iso(now + 2 * year), limit: 200 } }),
    // Administrators have no appointments.
    enabled: viewer.role !== 'super_admin',
  });
  if (viewer.role === 'super_admin') return <p>{m.accounts_deletion_no_sessions()}</p>;
  if (query.data === undefined) {
    return query.isError ? (
      <Notice tone="destructive" title={m.accounts_deletion_sessions_failed()}>
        {accountFailureText(query.error)}
      </Notice>
    ) : (
      <Loading>
        <Skeleton className="h-12" />
      </Loading>
    );
  }
  const coming = query.data.filter(({ status }) => status === 'pending' || status === 'confirmed');
  const cancelled = coming.filter(({ startsAt }) => Date.parse(startsAt) >= end);
  const before = coming.length - cancelled.length;
  return (
    <>
      {cancelled.length === 0 ? (
        <p>{m.accounts_deletion_no_sessions()}</p>
      ) : (
        <>
          <p>{m.accounts_deletion_cancelled()}</p>
          <ul className="mt-2 list-disc space-y-1 pl-5">
            {cancelled.map((session) => (
              <li key={session.id}>{sessionText(session, timeZone)}</li>
            ))}
          </ul>
        </>
      )}
      {before > 0 && (
        <p className="mt-2 text-quiet">{m.accounts_deletion_sessions_before({ count: before })}</p>
      )}
    </>
  );
}

function sessionText({ startsAt, client, provider }: AppointmentView, zone: string): string {
  return m.accounts_deletion_session({
    date: dateText(startsAt, zone),
    time: timeText(startsAt, zone),
    name: client?.name ?? provider.name,
  });
}
