import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminRoom } from '../admin/admin-room.tsx';
import { unlisted } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';

const EmergencyRoom = lazyPart(
  async () => (await import('#/features/messaging/ui/emergency-room.tsx')).EmergencyRoom,
);

export const loader = signInFirst;

export const meta = unlisted(m.messaging_emergency_title);

export default function AdminEmergency() {
  return (
    <AdminRoom capability="manage_users">
      <DataProvider>
        <EmergencyRoom />
      </DataProvider>
    </AdminRoom>
  );
}
