import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { timeText } from '#/web/times.ts';
import { partTexts } from './health-texts.ts';

export function HealthList() {
  const zone = useOwnZone();
  const query = useQuery({
    ...api.analytics.health.queryOptions(),
    refetchInterval: 60_000,
  });
  return (
    <Section title={m.health_title()} className="min-w-0">
      <p className="mt-0.5 mb-4 min-h-6 text-quiet">
        {query.data && m.health_intro({ time: timeText(query.data.checkedAt, zone) })}
      </p>
      <Card className="py-2!">
        <Fetched query={query} failure={m.health_failed()}>
          {(health) => (
            <ul className="divide-y divide-line">
              {partTexts(health, zone).map(({ id, name, well, text, action, tasks }) => (
                <li key={id} className="py-3">
                  <p className="flex flex-wrap items-center justify-between gap-2">
                    <span className="font-semibold">{name}</span>
                    <Badge tone={well ? 'sage' : 'clay'}>{well ? m.health_well() : m.health_unwell()}</Badge>
                  </p>
                  <p className="mt-0.5 text-quiet">{text}</p>
                  {tasks && (
                    <details open={false}>
                      <summary className="inline-flex min-h-11 cursor-pointer items-center text-primary hover:underline">
                        {m.health_schedules_show()}
                      </summary>
                      <dl className="grid gap-3 pb-2">
                        {tasks.map((task) => (
                          <div key={task.name}>
                            <dt className="flex flex-wrap items-center justify-between gap-2 font-semibold">
                              {task.name}
                              {task.failing && <Badge tone="clay">{m.health_unwell()}</Badge>}
                            </dt>
                            <dd className="text-quiet">{task.text}</dd>
                          </div>
                        ))}
                      </dl>
                    </details>
                  )}
                  {action && (
                    <Link
                      to={action.to}
                      className="inline-flex min-h-11 items-center text-primary hover:underline"
                    >
                      {action.label}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Fetched>
      </Card>
    </Section>
  );
}
