import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminRoom } from '../admin/admin-room.tsx';
import { unlisted } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';

const Inbox = lazyPart(async () => (await import('#/features/contact/ui/inbox.tsx')).Inbox);

export const loader = signInFirst;

export const meta = unlisted(m.contact_inbox_title);

export default function AdminInbox() {
  return (
    <AdminRoom capability="access_admin_panel">
      <LiveDataProvider>
        <Inbox />
      </LiveDataProvider>
    </AdminRoom>
  );
}
