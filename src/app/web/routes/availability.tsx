import { m } from '#/texts/messages.js';
import { AvailabilityScreen } from '../availability/availability-screen.tsx';
import { pageRequest } from '../contexts.ts';
import { prefetchFor } from '../prefetch.ts';
import { unlisted } from '../page-meta.ts';
import { PracticeRoom } from '../practice-room.tsx';
import type { Route } from './+types/availability.ts';

export async function loader({ context }: Route.LoaderArgs) {
  const found = await prefetchFor(context.get(pageRequest), (queries, { availability }) => [
    queries.query(availability.mine.queryOptions()),
    queries.query(availability.holidays.queryOptions({ input: {} })),
  ]);
  return { known: found?.known ?? null };
}

export const meta = unlisted(m.availability_title);

export default function Availability({ loaderData }: Route.ComponentProps) {
  return (
    <PracticeRoom
      title={m.availability_title()}
      intro={m.availability_intro()}
      capability="manage_own_availability"
      known={loaderData.known}
    >
      <AvailabilityScreen />
    </PracticeRoom>
  );
}
