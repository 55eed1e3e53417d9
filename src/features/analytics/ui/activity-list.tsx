import { useQuery } from '@tanstack/react-query';
import { actionText, actorText } from '#/features/audit/log/rules.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { dateIn, shortDateText, timeText, todayIn } from '#/web/times.ts';

/** Milliseconds. */
const liveMs = 5_000;

export function ActivityList({ as: Heading = 'h2' }: { as?: 'h2' | 'h3' }) {
  const zone = useOwnZone();
  const query = useQuery({
    ...api.analytics.activity.queryOptions(),
    refetchInterval: liveMs,
  });
  return (
    <section aria-labelledby="recent-activity" className="min-w-0">
      <Heading id="recent-activity" className="text-xl">
        {m.analytics_activity()}
      </Heading>
      <p className="mb-3 text-sm text-quiet">{m.analytics_activity_text()}</p>
      <Card className="py-2!">
        <Fetched
          query={query}
          failure={m.analytics_activity_failed()}
          skeleton={
            <div className="grid gap-2 py-3">
              <Skeleton className="h-12" />
              <Skeleton className="h-12" />
              <Skeleton className="h-12" />
            </div>
          }
        >
          {(entries) =>
            entries.length === 0 ? (
              <EmptyState as="p" title={m.analytics_activity_empty()} />
            ) : (
              <ol className="divide-y divide-line">
                {entries.map(({ id, at, actor, action, success }) => (
                  <li key={id} className="flex items-baseline gap-x-3 py-1.5 text-sm">
                    <span className="min-w-0 flex-1 break-words">
                      <span className="font-semibold">{actorText(actor)}</span>
                      <span className="text-quiet"> · {actionText(action)}</span>
                    </span>
                    {!success && <Badge tone="clay">{m.analytics_activity_refused()}</Badge>}
                    <time dateTime={at} className="whitespace-nowrap text-quiet tabular-nums">
                      {dateIn(at, zone) === todayIn(zone) ? timeText(at, zone) : shortDateText(at, zone)}
                    </time>
                  </li>
                ))}
              </ol>
            )
          }
        </Fetched>
      </Card>
    </section>
  );
}
