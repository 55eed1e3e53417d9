import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { OwnFigures } from '../dashboards/own-figures.tsx';
import { prefetchFor } from '../prefetch.ts';
import { unlisted } from '../page-meta.ts';
import { PracticeRoom } from '../practice-room.tsx';
import type { Route } from './+types/insights.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const found = await prefetchFor(context.get(pageRequest), (queries, { analytics }) => [
    queries.query(analytics.own.queryOptions()),
  ]);
  return { known: found?.known ?? null };
}

export const meta = unlisted(m.analytics_own_title);

export default function Insights({ loaderData }: Route.ComponentProps) {
  return (
    <PracticeRoom
      title={m.analytics_own_title()}
      intro={m.analytics_own_intro()}
      capability="view_own_analytics"
      known={loaderData.known}
    >
      <OwnFigures />
    </PracticeRoom>
  );
}
