import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminRoom } from '../admin/admin-room.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';
import type { Route } from './+types/admin-emergency.ts';

const EmergencyRoom = lazyPart(
  async () => (await import('#/features/messaging/ui/emergency-room.tsx')).EmergencyRoom,
);

export const loader = signInFirst;

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.messaging_emergency_title());
}

export default function AdminEmergency() {
  return (
    <AdminRoom capability="manage_users">
      <DataProvider>
        <EmergencyRoom />
      </DataProvider>
    </AdminRoom>
  );
}
