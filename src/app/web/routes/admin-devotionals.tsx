import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { RealtimeProvider } from '#/web/realtime.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminRoom } from '../admin/admin-room.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';
import type { Route } from './+types/admin-devotionals.ts';

const Devotionals = lazyPart(
  async () => (await import('#/features/growth/ui/devotionals-desk.tsx')).DevotionalsDesk,
);

export const loader = signInFirst;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.devotionals_admin_title());
}

export default function AdminDevotionals() {
  return (
    <AdminRoom capability="moderate_content">
      <DataProvider>
        <RealtimeProvider>
          <Devotionals />
        </RealtimeProvider>
      </DataProvider>
    </AdminRoom>
  );
}
