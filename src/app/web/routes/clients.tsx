import { can } from '#/features/access/rules.ts';
import { useCareNews, clientsQuery } from '#/features/care/ui/care-queries.ts';
import { ClientList } from '#/features/care/ui/client-list.tsx';
import { m } from '#/texts/messages.js';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';
import { pageRequest } from '../contexts.ts';
import { unlisted } from '../page-meta.ts';
import { ProviderPage } from '../provider-page.tsx';
import { prefetchFor } from '../prefetch.ts';
import type { Route } from './+types/clients.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const found = await prefetchFor(context.get(pageRequest), (queries, { care }, { role }) =>
    can(role, 'view_own_clients')
      ? [queries.infiniteQuery(clientsQuery(care, { search: '', order: 'next' }))]
      : [],
  );
  return { known: found?.known ?? null };
}

export const meta = unlisted(m.care_clients_title);

export default function Clients({ loaderData }: Route.ComponentProps) {
  return (
    <ProviderPage
      title={m.care_clients_title()}
      intro={m.care_clients_intro()}
      capability="view_own_clients"
      known={loaderData.known}
    >
      <ClientsScreen />
    </ProviderPage>
  );
}

function ClientsScreen() {
  useCareNews();
  const timeZone = useOwnZone();
  return (
    <>
      <ClientList timeZone={timeZone} />
      <ZoneLine timeZone={timeZone} className="mt-6 text-sm text-quiet" />
    </>
  );
}
