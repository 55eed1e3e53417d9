import type { ComponentType } from 'react';
import { redirect } from 'react-router';
import type { QueryClient } from '@tanstack/react-query';
import type { Role } from '#/kernel/actor.ts';
import type { Viewer } from '#/features/accounts/contract.ts';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { conversationsQuery, unreadQuery } from '#/features/messaging/ui/messaging-queries.ts';
import { dateIn } from '#/web/times.ts';
import type { Route } from './+types/home.ts';
import { pageRequest } from '../contexts.ts';
import { administratorData } from '../admin/administrator-data.ts';
import { unlisted } from '../page-meta.ts';
import { prefetchFor, type Ask, type ServerApi } from '../prefetch.ts';
import { sessionsWithGuests } from '../dashboards/session-data.ts';
import { upcomingSpan, comingSpan, daySpan, unfinishedSpan, waitingSpan } from '../dashboards/days.ts';

/** The first queries of a client's home page. */
const clientData: Ask = (queries, api, { timeZone }, at) => [
  ...shared(queries, api),
  sessionsWithGuests(queries, api, upcomingSpan(at)),
  queries.query(api.waitlist.mine.queryOptions()),
  ...(timeZone ? [queries.query(api.appointments.clientFigures.queryOptions({ input: { timeZone } }))] : []),
];

/** The first queries of a provider's home page. */
const providerData: Ask = (queries, api, _viewer, at) => [
  ...shared(queries, api),
  queries.query(api.waitlist.count.queryOptions()),
  // The practice's time zone determines which day is today.
  queries
    .query(api.appointments.providerFigures.queryOptions())
    .then(({ timeZone }) => sessionsWithGuests(queries, api, daySpan(dateIn(at, timeZone)))),
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

const firstData: Readonly<Record<Role, Ask>> = {
  super_admin: administratorData,
  doctor: providerData,
  pastor: providerData,
  client: clientData,
};

/** Loads the home page's first data; redirects guests to `/`, which serves the sign-in card and the landing page. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const found = await prefetchFor(context.get(pageRequest), (queries, api, viewer, at) =>
    firstData[viewer.role](queries, api, viewer, at),
  );
  if (found) return found.known;
  const asked = new URL(request.url).searchParams.get('auth') === '1';
  return redirect(asked ? '/?auth=1' : '/');
}

export const meta = unlisted(m.home_title);

const loading = () => (
  <main id="content" tabIndex={-1} className="grid min-h-dvh place-items-center outline-none">
    <Spinner label={m.home_loading()} />
  </main>
);

type Dashboard = ComponentType<{ viewer: Viewer }>;

// Each role loads only its own dashboard.
const ClientDashboard = lazyPart(
  async () => (await import('../dashboards/client-dashboard.tsx')).ClientDashboard,
  loading,
);
const ProviderDashboard = lazyPart(
  async () => (await import('../dashboards/provider-dashboard.tsx')).ProviderDashboard,
  loading,
);
const AdministratorDashboard = lazyPart(
  async () => (await import('../admin/administrator-dashboard.tsx')).AdministratorDashboard,
  loading,
);

const dashboards: Readonly<Record<Role, Dashboard>> = {
  super_admin: AdministratorDashboard,
  doctor: ProviderDashboard,
  pastor: ProviderDashboard,
  client: ClientDashboard,
};

export default function Home({ loaderData }: Route.ComponentProps) {
  const viewer = useViewer();
  // The loader redirects after sign-out.
  if (!viewer) return loading();
  const Dashboard = dashboards[viewer.role];
  return (
    <LiveDataProvider known={loaderData}>
      <Dashboard viewer={viewer} />
    </LiveDataProvider>
  );
}
