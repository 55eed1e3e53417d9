import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { unlisted } from '../page-meta.ts';
import type { Route } from './+types/admin-application.ts';

const ApplicationPage = lazyPart(
  async () => (await import('../admin/application-page.tsx')).ApplicationPage,
  () => <Spinner label={m.admin_loading()} />,
);

export const meta = unlisted(m.applications_one);

export default function AdminApplication({ params: { applicationId } }: Route.ComponentProps) {
  return <ApplicationPage key={applicationId} id={applicationId} />;
}
