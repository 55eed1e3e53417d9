import { m } from '#/texts/messages.js';
import { DataProvider } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminPage } from '../admin/admin-page.tsx';
import { unlisted } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';

const EmergencyRoom = lazyPart(
  async () => (await import('#/features/messaging/ui/emergency-room.tsx')).EmergencyRoom,
);

export const loader = signInFirst;

export const meta = unlisted(m.messaging_emergency_title);

export default function AdminEmergency() {
  return (
    <AdminPage title={m.messaging_emergency_title()} capability="manage_users">
      <DataProvider>
        <EmergencyRoom />
      </DataProvider>
    </AdminPage>
  );
}
