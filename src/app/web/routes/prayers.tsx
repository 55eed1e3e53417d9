import { receivedQuery } from '#/features/growth/ui/growth-queries.ts';
import { isProvider } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { OwnRoom } from '../growth/own-room.tsx';
import { PrayersScreen } from '../growth/prayers-screen.tsx';
import { roomData } from '../growth/room-data.ts';
import { siteHead, unlistedMeta } from '../page-meta.ts';
import type { Route } from './+types/prayers.ts';

export function loader({ context }: Route.LoaderArgs) {
  return roomData(context.get(pageRequest), (queries, { growth }, { role }) =>
    isProvider(role) ? [queries.infiniteQuery(receivedQuery(growth, 'open'))] : [],
  );
}

export function meta({ matches }: Route.MetaArgs) {
  return unlistedMeta(siteHead(matches).site, m.growth_prayers_title());
}

export default function Prayers({ loaderData }: Route.ComponentProps) {
  return <OwnRoom title={m.growth_prayers_title()} Screen={PrayersScreen} data={loaderData} />;
}
