import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus, Sprout } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { SectionHeading } from '#/web/components/page.tsx';
import type { GoalView } from '../goals/contract.ts';
import { GoalCard } from './goal-card.tsx';
import { useGrowth } from './growth-acts.ts';
import { Loaded, MoreButton } from './loaded.tsx';

const GoalForm = lazy(async () => ({ default: (await import('./goal-form.tsx')).GoalForm }));

const page = 20;

function useGoals(state: 'open' | 'achieved') {
  const growth = useGrowth();
  return useInfiniteQuery(
    growth.goals.list.infiniteOptions({
      input: (offset: number) => ({ state, limit: page, offset }),
      initialPageParam: 0,
      getNextPageParam: (last, pages) => (last.more ? pages.length * page : undefined),
    }),
  );
}

/** The person's goals: those on the way, and those that were reached. */
export function GoalsPanel({ timeZone }: { timeZone: string }) {
  const open = useGoals('open');
  const reached = useGoals('achieved');
  const [editing, setEditing] = useState<GoalView | 'new' | null>(null);
  const [celebrated, setCelebrated] = useState<GoalView | null>(null);
  const goals = open.data?.pages.flatMap((one) => one.goals);
  const done = reached.data?.pages.flatMap((one) => one.goals) ?? [];
  const add = (
    <Button className="max-sm:w-full" onClick={() => setEditing('new')}>
      <Plus />
      {m.growth_goals_add()}
    </Button>
  );
  const nothing = goals?.length === 0 && reached.data !== undefined && done.length === 0;
  return (
    <section aria-labelledby="goals">
      <SectionHeading
        id="goals"
        title={m.growth_goals_heading()}
        action={nothing ? undefined : add}
        className="mb-6"
      >
        {m.growth_goals_text()}
      </SectionHeading>
      {celebrated && <Celebration goal={celebrated} onClose={() => setCelebrated(null)} />}
      <Loaded query={{ ...open, data: goals }}>
        {(found) =>
          nothing ? (
            <Card>
              <EmptyState
                illustration={<PathIllustration />}
                title={m.growth_goals_empty_title()}
                action={add}
              >
                {m.growth_goals_empty_text()}
              </EmptyState>
            </Card>
          ) : (
            <>
              <h3 className="sr-only">{m.growth_goals_open()}</h3>
              {found.length === 0 && (
                <p className="flex items-center gap-3 rounded-card border border-dashed border-control px-5 py-6 text-quiet">
                  <Sprout className="size-5 shrink-0 text-sage" />
                  {m.growth_goals_none_open()}
                </p>
              )}
              <ul className="grid items-start gap-4 lg:grid-cols-2">
                {found.map((goal) => (
                  <GoalCard
                    key={goal.id}
                    goal={goal}
                    timeZone={timeZone}
                    onEdit={() => setEditing(goal)}
                    onReached={setCelebrated}
                  />
                ))}
              </ul>
              <MoreButton query={open} />
              {done.length > 0 && (
                <>
                  <h3 className="mt-10 mb-4 text-xl">{m.growth_goals_reached()}</h3>
                  <ul className="grid items-start gap-4 lg:grid-cols-2">
                    {done.map((goal) => (
                      <GoalCard
                        key={goal.id}
                        goal={goal}
                        timeZone={timeZone}
                        onEdit={() => setEditing(goal)}
                        onReached={setCelebrated}
                      />
                    ))}
                  </ul>
                  <MoreButton query={reached} />
                </>
              )}
            </>
          )
        }
      </Loaded>
      <Suspense fallback={null}>
        {editing !== null && (
          <GoalForm goal={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        )}
      </Suspense>
    </section>
  );
}

/** Says quietly that a goal was reached. */
function Celebration({ goal, onClose }: { goal: GoalView; onClose: () => void }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus(), [goal.id]);
  return (
    <div
      ref={card}
      tabIndex={-1}
      role="status"
      className="mb-6 animate-rise rounded-card bg-sage-soft px-5 py-6 text-center"
    >
      <OliveBranchIllustration className="mx-auto max-w-44" />
      <p className="mt-3 font-serif text-xl font-semibold">{m.growth_goal_celebrate_title()}</p>
      <p className="mx-auto mt-1 max-w-lg wrap-anywhere">
        {m.growth_goal_celebrate_text({ title: goal.title })}
      </p>
      <Button variant="secondary" size="sm" className="mt-4" onClick={onClose}>
        {m.growth_goal_celebrate_close()}
      </Button>
    </div>
  );
}
