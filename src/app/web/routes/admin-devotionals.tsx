import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminRoom } from '../admin/admin-room.tsx';
import { unlisted } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';

const Devotionals = lazyPart(
  async () => (await import('#/features/growth/ui/devotionals-desk.tsx')).DevotionalsDesk,
);

export const loader = signInFirst;

export const meta = unlisted(m.devotionals_admin_title);

export default function AdminDevotionals() {
  return (
    <AdminRoom capability="moderate_content">
      <LiveDataProvider>
        <Devotionals />
      </LiveDataProvider>
    </AdminRoom>
  );
}
