import { m } from '#/texts/messages.js';
import { UndeliveredList } from '#/features/notifications/ui/undelivered-list.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/admin-undelivered.ts';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.undelivered_title());
}

export default function Undelivered() {
  return <UndeliveredList />;
}
