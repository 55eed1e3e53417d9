import { m } from '#/texts/messages.js';
import { Spinner } from '#/web/components/spinner.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { siteHead, unlisted } from '../page-meta.ts';
import type { Route } from './+types/admin-person.ts';

const PersonPage = lazyPart(
  async () => (await import('../admin/person-page.tsx')).PersonPage,
  () => <Spinner label={m.admin_loading()} />,
);

export const meta = unlisted(m.person_title);

export default function AdminPerson({ matches, params: { personId } }: Route.ComponentProps) {
  return <PersonPage key={personId} id={personId} siteZone={siteHead(matches).site.timeZone} />;
}
