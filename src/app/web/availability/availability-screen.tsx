import { useState } from 'react';
import { useHydrated } from '#/web/hydrated.ts';
import { AvailabilityEditor } from '#/features/availability/ui/availability-editor.tsx';
import { useOwnHours } from '#/features/availability/ui/availability-queries.ts';
import { AvailabilityPreview } from '#/features/appointments/ui/availability-preview.tsx';
import { m } from '#/texts/messages.js';
import { Fetched } from '#/web/components/fetched.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';

export function AvailabilityScreen() {
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
