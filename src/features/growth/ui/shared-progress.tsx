import { useQuery } from '@tanstack/react-query';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Fetched } from '#/web/components/fetched.tsx';
import { ProgressPicture } from './progress-picture.tsx';

export function SharedProgress({ clientId }: { clientId: string }) {
  const query = useQuery(api.growth.sharing.progress.queryOptions({ input: { clientId } }));
  return (
    <Fetched query={query}>
      {({ sessionsCompleted, daysActive, resourcesUsed, goalsAchieved, months }) => (
        <>
          <dl className="mb-6 grid grid-cols-2 gap-3 sm:grid-cols-4">
            <Figure label={m.growth_progress_sessions()} value={sessionsCompleted} />
            <Figure label={m.growth_progress_days()} value={daysActive} />
            <Figure label={m.growth_progress_resources()} value={resourcesUsed} />
            <Figure label={m.growth_progress_goals()} value={goalsAchieved} />
          </dl>
          {daysActive > 0 && <ProgressPicture months={months} />}
        </>
      )}
    </Fetched>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div className="rounded-card bg-sunken px-4 py-3">
      <dt className="text-sm text-quiet">{label}</dt>
      <dd className="font-serif text-xl font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
