import { can } from '#/features/access/rules.ts';
import { goalsQuery, journalQuery, prayersQuery } from '#/features/growth/ui/growth-queries.ts';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { GrowthScreen } from '../growth/growth-screen.tsx';
import { OwnRoom } from '../growth/own-room.tsx';
import { roomData } from '../growth/room-data.ts';
import { unlisted } from '../page-meta.ts';
import { unlessSearchChanged } from '../revalidation.ts';
import type { Route } from './+types/growth.ts';

export function loader({ context, request }: Route.LoaderArgs) {
  const tab = new URL(request.url).searchParams.get('tab');
  return roomData(context.get(pageRequest), (queries, { growth, words }, { role }) => {
    if (tab === 'journal') {
      return [
        queries.query(words.get.queryOptions()),
        queries.query(growth.journal.months.queryOptions()),
        queries.infiniteQuery(journalQuery(growth, '')),
      ];
    }
    if (tab === 'prayer' && can(role, 'book_appointments'))
      return [queries.infiniteQuery(prayersQuery(growth))];
    if (tab === 'progress') return [queries.query(growth.progress.mine.queryOptions())];
    return [
      queries.infiniteQuery(goalsQuery(growth, 'open')),
      queries.infiniteQuery(goalsQuery(growth, 'achieved')),
    ];
  });
}

export const shouldRevalidate = unlessSearchChanged;

export const meta = unlisted(m.growth_title);

export default function Growth({ loaderData }: Route.ComponentProps) {
  return <OwnRoom title={m.growth_guest_title()} Screen={GrowthScreen} data={loaderData} />;
}
