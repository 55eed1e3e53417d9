import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck, Circle } from 'lucide-react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { mediumDateText, mediumPlainDateText } from '#/web/times.ts';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import type { GoalView } from '../goals/contract.ts';

const page = 20;

export function SharedGoals({ clientId, timeZone }: { clientId: string; timeZone: string }) {
  return (
    <div className="grid items-start gap-x-6 gap-y-8 lg:grid-cols-2">
      <Goals clientId={clientId} timeZone={timeZone} state="open" />
      <Goals clientId={clientId} timeZone={timeZone} state="achieved" />
    </div>
  );
}

function Goals({
  clientId,
  timeZone,
  state,
}: {
  clientId: string;
  timeZone: string;
  state: 'open' | 'achieved';
}) {
  const list = useInfiniteQuery(
    api.growth.sharing.goals.infiniteOptions({
      input: (offset: number) => ({ clientId, state, limit: page, offset }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => (last.more ? pages.length * page : undefined),
    }),
  );
  const goals = list.data?.pages.flatMap((one) => one.goals);
  return (
    <div>
      <h4 className="mb-3 font-semibold">
        {state === 'open' ? m.web_in_progress() : m.growth_goals_reached()}
      </h4>
      <FetchedList
        query={list}
        entries={goals}
        empty={
          <p className="text-quiet">
            {state === 'open' ? m.growth_goals_none_open() : m.growth_shared_none_reached()}
          </p>
        }
      >
        {(found) => (
          <ul className="grid gap-3">
            {found.map((goal) => (
              <Goal key={goal.id} goal={goal} timeZone={timeZone} />
            ))}
          </ul>
        )}
      </FetchedList>
    </div>
  );
}

function Goal({
  goal: { title, why, dueOn, achievedAt, steps },
  timeZone,
}: {
  goal: GoalView;
  timeZone: string;
}) {
  return (
    <li className="rounded-card bg-sunken px-4 py-3">
      <p className="font-serif text-lg font-semibold wrap-anywhere">{title}</p>
      {why && <p className="whitespace-pre-wrap wrap-anywhere">{why}</p>}
      {achievedAt ? (
        <p className="text-sm text-quiet">
          {m.growth_goal_reached_on({ date: mediumDateText(achievedAt, timeZone) })}
        </p>
      ) : (
        dueOn && (
          <p className="text-sm text-quiet">{m.growth_goal_by({ date: mediumPlainDateText(dueOn) })}</p>
        )
      )}
      {steps.length > 0 && (
        <ul className="mt-2 grid gap-1">
          {steps.map(({ id, text, doneAt }) => (
            <li key={id} className="flex items-start gap-2">
              {doneAt ? (
                <CircleCheck aria-hidden className="mt-1 size-4.5 shrink-0 text-sage" />
              ) : (
                <Circle aria-hidden className="mt-1 size-4.5 shrink-0 text-quiet" />
              )}
              <span className="min-w-0 wrap-anywhere">
                {text}
                <span className="sr-only"> ({doneAt ? m.growth_shared_done() : m.growth_shared_open()})</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
