import { redirect } from 'react-router';
import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { lazyPart } from '#/web/lazy-part.ts';
import { AdminRoom } from '../admin/admin-room.tsx';
import { pageRequest } from '../contexts.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/admin-devotionals.ts';

const Devotionals = lazyPart(
  async () => (await import('#/features/growth/ui/devotionals-desk.tsx')).DevotionalsDesk,
);

export async function loader({ context, request }: Route.LoaderArgs) {
  if (await context.get(pageRequest).api.accounts.me()) return null;
  const { pathname, search } = new URL(request.url);
  return redirect(`/?auth=1&next=${encodeURIComponent(pathname + search)}`);
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.devotionals_admin_title());
}

export default function AdminDevotionals() {
  return (
    <AdminRoom capability="moderate_content">
      <DataProvider>
        <RealtimeProvider>
          <LazyBoundary>
            <Devotionals />
          </LazyBoundary>
        </RealtimeProvider>
      </DataProvider>
    </AdminRoom>
  );
}
