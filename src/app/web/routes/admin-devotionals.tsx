import { m } from '#/texts/messages.js';
import { LiveDataProvider } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { AdminPage } from '../admin/admin-page.tsx';
import { unlisted } from '../page-meta.ts';
import { signInFirst } from '../sign-in-first.ts';

const Devotionals = lazyPart(
  async () => (await import('#/features/growth/ui/devotionals-panel.tsx')).DevotionalsPanel,
);

export const loader = signInFirst;

export const meta = unlisted(m.devotionals_admin_title);

export default function AdminDevotionals() {
  return (
    <AdminPage title={m.devotionals_admin_title()} capability="moderate_content">
      <LiveDataProvider>
        <Devotionals />
      </LiveDataProvider>
    </AdminPage>
  );
}
