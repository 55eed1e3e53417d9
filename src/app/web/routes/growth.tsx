import { lazy } from 'react';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { OwnRoom } from '../growth/own-room.tsx';
import { requireGrowth } from '../growth/require-growth.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/growth.ts';

export async function loader({ context }: Route.LoaderArgs) {
  return requireGrowth(await context.get(pageRequest).api.settings.site());
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.growth_title());
}

const Screen = lazy(async () => ({ default: (await import('../growth/growth-screen.tsx')).GrowthScreen }));

export default function Growth() {
  return <OwnRoom title={m.growth_guest_title()} Screen={Screen} />;
}
