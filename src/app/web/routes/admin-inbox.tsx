import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminPage } from '../admin/admin-page.tsx';
import { unlisted } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';

const Inbox = lazyPart(async () => (await import('#/features/contact/ui/inbox.tsx')).Inbox);

export const loader = signInFirst;

export const meta = unlisted(m.contact_inbox_title);

export default function AdminInbox() {
  return (
    <AdminPage title={m.contact_inbox_title()} capability="access_admin_panel">
      <LiveDataProvider>
        <Inbox />
      </LiveDataProvider>
    </AdminPage>
  );
}
