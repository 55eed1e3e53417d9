import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useHydrated } from '#/web/hydrated.ts';
import { AvailabilityEditor } from '#/features/availability/ui/availability-editor.tsx';
import { useOwnHours } from '#/features/availability/ui/availability-queries.ts';
import { AvailabilityPreview } from '#/features/appointments/ui/availability-preview.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { pageRequest } from '../contexts.ts';
import { prefetchFor } from '../prefetch.ts';
import { unlisted } from '../page-meta.ts';
import { ProviderPage } from '../provider-page.tsx';
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
    <ProviderPage
      title={m.availability_title()}
      intro={m.availability_intro()}
      capability="manage_own_availability"
      known={loaderData.known}
    >
      <AvailabilityScreen />
    </ProviderPage>
  );
}

function AvailabilityScreen() {
  const query = useOwnHours();
  const alive = useHydrated();
  const [unsaved, setUnsaved] = useState(false);
  const [news, setNews] = useState('');
  return (
    <>
      <Fetched query={query} failure={m.availability_load_failed()}>
        {(view) => (
          <AvailabilityEditor view={view} onUnsaved={setUnsaved} onNews={setNews}>
            {({ draft, view: stored, held }) => (
              <AvailabilityPreview draft={draft} stored={stored} held={held} alive={alive} />
            )}
          </AvailabilityEditor>
        )}
      </Fetched>
      <p role="status" className="sr-only">
        {news}
      </p>
      <LeaveGuard unsaved={unsaved} />
    </>
  );
}
