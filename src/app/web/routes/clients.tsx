import { can } from '#/features/access/rules.ts';
import { clientsQuery } from '#/features/care/ui/care-queries.ts';
import { m } from '#/texts/messages.js';
import { ClientsScreen } from '../care/clients-screen.tsx';
import { pageRequest } from '../contexts.ts';
import { prefetchFor } from '../prefetch.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { PracticeRoom } from '../practice-room.tsx';
import type { Route } from './+types/clients.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const found = await prefetchFor(context.get(pageRequest), (queries, { care }, { role }) =>
    can(role, 'view_own_clients')
      ? [queries.infiniteQuery(clientsQuery(care, { search: '', order: 'next' }))]
      : [],
  );
  return { known: found?.known ?? null };
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.care_clients_title());
}

export default function Clients({ loaderData }: Route.ComponentProps) {
  return (
    <PracticeRoom
      title={m.care_clients_title()}
      intro={m.care_clients_intro()}
      capability="view_own_clients"
      known={loaderData.known}
    >
      <ClientsScreen />
    </PracticeRoom>
  );
}
