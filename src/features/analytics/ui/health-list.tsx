import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { timeText } from '#/web/times.ts';
import type { HealthView } from '../contract.ts';
import { healthLine, partTexts } from './health-texts.ts';

export function HealthList() {
  const zone = useOwnZone();
  const query = useQuery({
    ...api.analytics.health.queryOptions(),
    refetchInterval: 60_000,
  });
  return (
    <Section title={m.health_title()} className="min-w-0">
      <p className="mb-3 min-h-5 text-sm text-quiet">
        {query.data && m.health_intro({ time: timeText(query.data.checkedAt, zone) })}
      </p>
      <Card className="py-2!">
        <Fetched query={query} failure={m.health_failed()}>
          {(health) => <Parts health={health} zone={zone} />}
        </Fetched>
      </Card>
    </Section>
  );
}

/** Phones fold it while all is well. */
function Parts({ health, zone }: { health: HealthView; zone: string }) {
  const parts = partTexts(health, zone);
  return (
    <details
      open={parts.some(({ well }) => !well)}
      className="group sm:[&::details-content]:[block-size:auto] sm:[&::details-content]:[content-visibility:visible]"
    >
      <summary className="flex min-h-11 list-none items-center justify-between gap-3 font-semibold sm:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden">
        {healthLine(health, zone)}
        <ChevronDown aria-hidden className="size-5 shrink-0 text-quiet group-open:rotate-180" />
      </summary>
      <ul className="divide-y divide-line">
        {parts.map(({ id, name, well, text, action, tasks }) => (
          <li key={id} className="py-2 text-sm">
            <p className="flex flex-wrap items-center justify-between gap-2">
              <span className="text-base font-semibold">{name}</span>
              <Badge tone={well ? 'sage' : 'clay'}>{well ? m.health_well() : m.health_unwell()}</Badge>
            </p>
            <p className="text-quiet">{text}</p>
            {tasks && (
              <details open={false} className="group/tasks">
                <summary className="inline-flex min-h-11 cursor-pointer items-center gap-1 text-primary hover:underline">
                  {m.health_schedules_show()}
                  <ChevronDown aria-hidden className="size-4 group-open/tasks:rotate-180" />
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
              <Link to={action.to} className="inline-flex min-h-11 items-center text-primary hover:underline">
                {action.label}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
