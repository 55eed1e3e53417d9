import { lazy } from 'react';
import { data } from 'react-router';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { OwnRoom } from '../growth/own-room.tsx';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/prayers.ts';

/** Switched off, the page isn't there. */
export async function loader({ context }: Route.LoaderArgs) {
  const { flags } = await context.get(pageRequest).api.settings.site();
  if (!flags.includes('wellness_tracking')) throw data(null, { status: 404 });
  return null;
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.growth_prayers_title());
}

const Screen = lazy(async () => ({
  default: (await import('../growth/prayers-screen.tsx')).PrayersScreen,
}));

export default function Prayers() {
  return <OwnRoom title={m.growth_prayers_title()} Screen={Screen} />;
}
