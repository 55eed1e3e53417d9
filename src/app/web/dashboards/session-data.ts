import type { QueryClient } from '@tanstack/react-query';
import type { Role } from '#/kernel/actor.ts';
import { can } from '#/features/access/rules.ts';
import { isForSeveral } from '#/features/attendees/rules.ts';
import { unreadQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { receivedQuery } from '#/features/reviews/ui/review-queries.ts';
import type { Ask, ServerApi } from '../prefetch.ts';
import { upcomingSpan } from './days.ts';
import { pastQuery, reviewSpans } from './past-queries.ts';

/** Maximum sessions whose guests are prefetched. */
const named = 5;

/** Sessions, and guests of the first ones. */
export async function sessionsWithGuests(
  queries: QueryClient,
  { appointments, attendees }: ServerApi,
  input: ReturnType<typeof upcomingSpan>,
) {
  const found = await queries.query(appointments.mine.queryOptions({ input }));
  const several = found.filter(({ service }) => isForSeveral(service.id)).slice(0, named);
  await Promise.all(
    several.map(({ id }) => queries.query(attendees.list.queryOptions({ input: { appointmentId: id } }))),
  );
}

async function pastSessions(
  queries: QueryClient,
  { appointments, reviews }: ServerApi,
  role: Role,
  at: number,
) {
  const { pages } = await queries.infiniteQuery(pastQuery(appointments, at));
  if (role !== 'client') return;
  await Promise.all(
    reviewSpans(pages, at).map((input) => queries.query(reviews.mine.queryOptions({ input }))),
  );
}

/** The first queries of the Sessions tab. */
export const sessionsTabData: Ask = (queries, api, { role }, at) => [
  sessionsWithGuests(queries, api, upcomingSpan(at)),
  pastSessions(queries, api, role, at),
  queries.query(api.settings.site.queryOptions()),
  queries.query(unreadQuery(api.messaging)),
  ...(can(role, 'book_appointments') ? [queries.query(api.waitlist.mine.queryOptions())] : []),
  ...(can(role, 'manage_own_appointments') ? [queries.infiniteQuery(receivedQuery(api.reviews))] : []),
];
