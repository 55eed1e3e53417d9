import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus, Sprout } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';
import { MoreButton } from '#/web/components/more-button.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { GoalView } from '../goals/contract.ts';
import { GoalCard } from './goal-card.tsx';
import { goalsQuery } from './growth-queries.ts';
import { PanelHeading } from './panel-heading.tsx';

const GoalForm = lazyPart(async () => (await import('./goal-form.tsx')).GoalForm);

export function GoalsPanel({ timeZone }: { timeZone: string }) {
  const open = useInfiniteQuery(goalsQuery(api.growth, 'open'));
  const reached = useInfiniteQuery(goalsQuery(api.growth, 'achieved'));
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
      <PanelHeading id="goals" title={m.growth_goals_heading()} action={nothing ? undefined : add}>
        {m.growth_goals_text()}
      </PanelHeading>
      {celebrated && (
        <Celebration key={celebrated.id} goal={celebrated} onClose={() => setCelebrated(null)} />
      )}
      <Fetched query={{ ...open, data: goals }}>
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
            <div
              className={classes('grid items-start gap-x-6 gap-y-10', done.length > 0 && 'lg:grid-cols-2')}
            >
              <div>
                <h3 className="mb-4 text-lg">{m.web_in_progress()}</h3>
                {found.length === 0 && (
                  <p className="flex items-center gap-3 rounded-card border border-dashed border-control px-5 py-6 text-quiet">
                    <Sprout className="size-5 shrink-0 text-sage" />
                    {m.growth_goals_none_open()}
                  </p>
                )}
                <GoalList
                  goals={found}
                  timeZone={timeZone}
                  wide={done.length === 0}
                  onEdit={setEditing}
                  onReached={setCelebrated}
                />
                <MoreButton query={open} className="mt-6 text-center" />
              </div>
              {done.length > 0 && (
                <div>
                  <h3 className="mb-4 text-lg">{m.growth_goals_reached()}</h3>
                  <GoalList goals={done} timeZone={timeZone} onEdit={setEditing} onReached={setCelebrated} />
                  <MoreButton query={reached} className="mt-6 text-center" />
                </div>
              )}
            </div>
          )
        }
      </Fetched>
      {editing !== null && (
        <GoalForm
          goal={
            editing === 'new'
              ? null
              : ([...(goals ?? []), ...done].find(({ id }) => id === editing.id) ?? editing)
          }
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  );
}

function GoalList({
  goals,
  timeZone,
  wide = false,
  onEdit,
  onReached,
}: {
  goals: readonly GoalView[];
  timeZone: string;
  /** Two columns on wide screens. */
  wide?: boolean;
  onEdit: (goal: GoalView) => void;
  onReached: (goal: GoalView | null) => void;
}) {
  return (
    <ul className={classes('grid items-start gap-4', wide && 'lg:grid-cols-2')}>
      {goals.map((goal) => (
        <GoalCard
          key={goal.id}
          goal={goal}
          timeZone={timeZone}
          onEdit={() => onEdit(goal)}
          onReached={onReached}
        />
      ))}
    </ul>
  );
}

/** Announces an achieved goal. */
function Celebration({ goal, onClose }: { goal: GoalView; onClose: () => void }) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus(), []);
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
