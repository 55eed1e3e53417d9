import { m } from '#/texts/messages.js';
import { Portal } from '../admin/portal.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/admin.ts';

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.admin_title());
}

export default Portal;
