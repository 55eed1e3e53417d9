import type { RouterUtils } from '@orpc/tanstack-query';
import type { QueryClient } from '@tanstack/react-query';
import { isForSeveral } from '#/features/attendees/rules.ts';
import { conversationsQuery, unreadQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { dateIn } from '#/web/times.ts';
import type { PageRequest } from '../contexts.ts';
import type { Ask } from '../prefetch.ts';
import { aheadSpan, comingSpan, daySpan, unfinishedSpan, waitingSpan } from './days.ts';

type ServerApi = RouterUtils<PageRequest['api']>;

/** The first queries of a client's home page. */
export const clientData: Ask = (queries, api, { timeZone }, at) => [
  ...shared(queries, api),
  sessions(queries, api, aheadSpan(at)),
  queries.query(api.waitlist.mine.queryOptions()),
  ...(timeZone ? [queries.query(api.appointments.clientFigures.queryOptions({ input: { timeZone } }))] : []),
];

/** The first queries of a provider's home page. */
export const providerData: Ask = (queries, api, _viewer, at) => [
  ...shared(queries, api),
  queries.query(api.waitlist.count.queryOptions()),
  // The practice's time zone determines which day is today.
  queries
    .query(api.appointments.providerFigures.queryOptions())
    .then(({ timeZone }) => sessions(queries, api, daySpan(dateIn(at, timeZone)))),
  ...[comingSpan(at), waitingSpan(at), unfinishedSpan(at)].map((input) =>
    queries.query(api.appointments.mine.queryOptions({ input })),
  ),
];

function shared(queries: QueryClient, { attendees, messaging, settings }: ServerApi) {
  return [
    queries.query(attendees.mine.queryOptions()),
    queries.query(settings.site.queryOptions()),
    queries.query(unreadQuery(messaging)),
    queries.infiniteQuery(conversationsQuery(messaging)),
  ];
}

/** Maximum sessions whose guests are prefetched. */
const named = 5;

async function sessions(
  queries: QueryClient,
  { appointments, attendees }: ServerApi,
  input: ReturnType<typeof aheadSpan>,
) {
  const found = await queries.query(appointments.mine.queryOptions({ input }));
  const several = found.filter(({ service }) => isForSeveral(service.id)).slice(0, named);
  await Promise.all(
    several.map(({ id }) => queries.query(attendees.list.queryOptions({ input: { appointmentId: id } }))),
  );
}
