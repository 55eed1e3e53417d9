import { Check, Ellipsis, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { Menu } from '#/web/components/menu.tsx';
import { toast } from '#/web/components/toast.tsx';
import { mediumDateText, mediumPlainDateText } from '#/web/times.ts';
import type { GoalView } from '../goals/contract.ts';
import { useAction } from './growth-actions.ts';

export function GoalCard({
  goal,
  timeZone,
  onEdit,
  onReached,
}: {
  goal: GoalView;
  timeZone: string;
  onEdit: () => void;
  onReached: (goal: GoalView | null) => void;
}) {
  const { busy, act } = useAction();
  const { id: goalId, title, why, dueOn, achievedAt, steps } = goal;
  const done = steps.filter(({ doneAt }) => doneAt !== null).length;

  const achieve = async (achieved: boolean) => {
    if (await act(() => api.growth.goals.achieve.call({ goalId, achieved })))
      onReached(achieved ? goal : null);
  };
  const restore = async () => {
    if (await act(() => api.growth.goals.restore.call({ goalId }))) toast.done(m.growth_goal_restored());
  };
  const remove = async () => {
    if (!(await act(() => api.growth.goals.remove.call({ goalId })))) return;
    document.getElementById('content')?.focus({ preventScroll: true });
    toast({
      tone: 'success',
      title: m.growth_goal_removed(),
      description: m.growth_goal_removed_text(),
      action: {
        label: m.web_undo(),
        altText: m.growth_goal_undo_alt(),
        onSelect: () => void restore(),
      },
    });
  };

  return (
    <Card as="li" className="list-none">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <h4 className="font-serif text-lg font-semibold wrap-anywhere">{title}</h4>
          <p className="text-sm text-quiet">
            {achievedAt !== null
              ? m.growth_goal_reached_on({ date: mediumDateText(achievedAt, timeZone) })
              : dueOn !== null && m.growth_goal_by({ date: mediumPlainDateText(dueOn) })}
          </p>
        </div>
        <Menu
          trigger={
            <Button
              variant="quiet"
              size="icon"
              aria-label={m.growth_more_actions({ title })}
              className="-mt-1.5 -mr-2"
            >
              <Ellipsis />
            </Button>
          }
          items={[
            { label: m.web_edit(), icon: <Pencil />, onSelect: onEdit },
            ...(achievedAt === null
              ? []
              : [
                  {
                    label: m.growth_goal_reopen(),
                    icon: <RotateCcw />,
                    onSelect: () => void achieve(false),
                  },
                ]),
            {
              label: m.web_remove(),
              icon: <Trash2 />,
              tone: 'destructive',
              onSelect: () => void remove(),
            },
          ]}
        />
      </div>
      {why !== null && <p className="mt-2 whitespace-pre-line text-quiet wrap-anywhere">{why}</p>}
      {steps.length > 0 && (
        <>
          <StepProgress done={done} count={steps.length} />
          <ul aria-label={m.growth_goal_steps_label({ title })} className="mt-2 -mb-1">
            {steps.map((step) => (
              <GoalStep
                key={step.id}
                step={step}
                disabled={achievedAt !== null}
                timeZone={timeZone}
                onTick={(checked) =>
                  void act(() => api.growth.goals.tickStep.call({ goalId, stepId: step.id, done: checked }))
                }
              />
            ))}
          </ul>
        </>
      )}
      {achievedAt === null && (
        <Button
          variant={steps.length > 0 && done === steps.length ? 'primary' : 'secondary'}
          size="sm"
          busy={busy}
          className="mt-4"
          onClick={() => void achieve(true)}
        >
          <Check />
          {m.growth_goal_reach()}
        </Button>
      )}
    </Card>
  );
}

function GoalStep({
  step,
  disabled,
  timeZone,
  onTick,
}: {
  step: GoalView['steps'][number];
  disabled: boolean;
  timeZone: string;
  onTick: (done: boolean) => void;
}) {
  return (
    <li>
      <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
        <span className="relative mt-px grid size-6 shrink-0 place-items-center">
          <input
            type="checkbox"
            checked={step.doneAt !== null}
            disabled={disabled}
            onChange={(event) => onTick(event.target.checked)}
            className="peer size-6 cursor-pointer appearance-none rounded-full border-2 border-control bg-card transition-colors duration-150 checked:border-sage checked:bg-sage disabled:cursor-default"
          />
          <Check className="pointer-events-none invisible absolute size-4 text-card peer-checked:visible" />
        </span>
        <span className="min-w-0 wrap-anywhere">
          <span className={classes(step.doneAt !== null && 'text-quiet')}>{step.text}</span>
          {(step.doneAt !== null || step.dueOn !== null) && (
            <span className="block text-sm text-quiet">
              {step.doneAt === null
                ? step.dueOn !== null && m.growth_goal_by({ date: mediumPlainDateText(step.dueOn) })
                : m.growth_goal_step_done_on({ date: mediumDateText(step.doneAt, timeZone) })}
            </span>
          )}
        </span>
      </label>
    </li>
  );
}

/** Decorative: the text beside has the numbers. */
function StepProgress({ done, count }: { done: number; count: number }) {
  return (
    <div className="mt-4">
      <p className="text-sm text-quiet">{m.growth_goal_steps_done({ done, count })}</p>
      <svg
        viewBox="0 0 100 2"
        preserveAspectRatio="none"
        aria-hidden
        className="mt-1.5 block h-2 w-full overflow-hidden rounded-full"
      >
        <rect width="100" height="2" className="fill-sunken" />
        <rect width={(100 * done) / count} height="2" className="fill-sage" />
      </svg>
    </div>
  );
}
