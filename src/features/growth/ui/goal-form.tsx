import { useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, FieldError, TextInput, Textarea } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import type { GoalView } from '../goals/contract.ts';
import { useGrowth } from './growth-acts.ts';
import { useSaving } from './saving.ts';

interface StepDraft {
  /** React key, local to this form. */
  key: number;
  id?: string;
  text: string;
  dueOn: string;
}

const mostSteps = 30;

export function GoalForm({ goal, onClose }: { goal: GoalView | null; onClose: () => void }) {
  const growth = useGrowth();
  const queries = useQueryClient();
  const saving = useSaving(sentence);
  const { form, errors } = saving;
  const formId = useId();
  const nextKey = useRef(goal?.steps.length ?? 1);
  const [title, setTitle] = useState(goal?.title ?? '');
  const [why, setWhy] = useState(goal?.why ?? '');
  const [dueOn, setDueOn] = useState(goal?.dueOn ?? '');
  const [steps, setSteps] = useState<StepDraft[]>(
    goal?.steps.map((step, key) => ({ key, id: step.id, text: step.text, dueOn: step.dueOn ?? '' })) ?? [
      { key: 0, text: '', dueOn: '' },
    ],
  );

  const save = async () => {
    // Drop empty rows. After an error, the form's rows match its indexes.
    const kept = steps.filter(({ text }) => text.trim() !== '');
    const input = {
      title,
      ...(why.trim() === '' ? {} : { why }),
      ...(dueOn === '' ? {} : { dueOn }),
      steps: kept.map((step) => ({
        ...(step.id === undefined ? {} : { id: step.id }),
        text: step.text,
        ...(step.dueOn === '' ? {} : { dueOn: step.dueOn }),
      })),
    };
    try {
      if (goal) await growth.goals.change.call({ goalId: goal.id, ...input });
      else await growth.goals.add.call(input);
    } catch (error) {
      if (kept.length > 0) setSteps(kept);
      throw error;
    }
    void queries.invalidateQueries({ queryKey: growth.key() });
    onClose();
  };

  const setStep = (key: number, change: Partial<StepDraft>) =>
    setSteps(steps.map((step) => (step.key === key ? { ...step, ...change } : step)));
  const addStep = () => {
    nextKey.current += 1;
    const key = nextKey.current;
    flushSync(() => setSteps([...steps, { key, text: '', dueOn: '' }]));
    form.current?.querySelector<HTMLElement>(`[data-step="${key}"]`)?.focus();
  };
  const removeStep = (key: number) => {
    const at = steps.findIndex((step) => step.key === key);
    const left = steps.filter((step) => step.key !== key);
    flushSync(() => setSteps(left));
    const next = left[Math.min(at, left.length - 1)];
    form.current?.querySelector<HTMLElement>(next ? `[data-step="${next.key}"]` : '[data-add-step]')?.focus();
  };

  return (
    <FormDialog
      title={goal ? m.growth_goal_edit_title() : m.growth_goal_new_title()}
      submitLabel={m.growth_goal_save()}
      failedTitle={m.growth_failed_title()}
      saving={saving}
      onSubmit={(event) => {
        const missing = title.trim() === '' ? { title: m.growth_goal_title_required() } : {};
        void saving.submit(event, missing, save);
      }}
      onClose={onClose}
    >
      <Field label={m.growth_goal_field_title()} error={errors.title}>
        <TextInput value={title} maxLength={200} onChange={(event) => setTitle(event.target.value)} />
      </Field>
      <div>
        <Field label={m.growth_goal_field_why()} error={errors.why} optional>
          <Textarea
            rows={2}
            value={why}
            onChange={(event) => setWhy(event.target.value)}
            className="min-h-20"
          />
        </Field>
        <CrisisHelp text={`${title}\n${why}`} className="mt-3" />
      </div>
      <Field label={m.growth_goal_field_due()} error={errors.dueOn} optional className="sm:max-w-56">
        <TextInput type="date" value={dueOn} onChange={(event) => setDueOn(event.target.value)} />
      </Field>
      <fieldset className="min-w-0">
        <legend className="font-semibold">
          {m.growth_goal_field_steps()}
          <span className="font-normal text-quiet"> ({m.web_optional()})</span>
        </legend>
        <p className="mb-3 text-sm text-quiet">{m.growth_goal_field_steps_hint()}</p>
        <ol className="grid gap-3">
          {steps.map((step, index) => (
            <li key={step.key}>
              <div className="flex items-start gap-2">
                <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[1fr_10.5rem]">
                  <TextInput
                    data-step={step.key}
                    aria-label={m.growth_goal_field_step({ number: index + 1 })}
                    aria-invalid={errors[`steps.${index}`] ? true : undefined}
                    aria-describedby={errors[`steps.${index}`] ? `${formId}-step-${index}` : undefined}
                    placeholder={m.growth_goal_field_step({ number: index + 1 })}
                    maxLength={200}
                    value={step.text}
                    onChange={(event) => setStep(step.key, { text: event.target.value })}
                  />
                  <TextInput
                    type="date"
                    aria-label={m.growth_goal_field_step_due({ number: index + 1 })}
                    value={step.dueOn}
                    onChange={(event) => setStep(step.key, { dueOn: event.target.value })}
                  />
                </div>
                <Button
                  variant="quiet"
                  size="icon"
                  aria-label={m.growth_goal_step_remove({ number: index + 1 })}
                  onClick={() => removeStep(step.key)}
                >
                  <X />
                </Button>
              </div>
              {errors[`steps.${index}`] && (
                <FieldError id={`${formId}-step-${index}`}>{errors[`steps.${index}`]}</FieldError>
              )}
            </li>
          ))}
        </ol>
        {steps.length < mostSteps && (
          <Button variant="quiet" size="sm" data-add-step className="mt-2 -ml-2" onClick={addStep}>
            <Plus />
            {m.growth_goal_step_add()}
          </Button>
        )}
      </fieldset>
    </FormDialog>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'title')
    return reason === 'too_large'
      ? m.growth_goal_title_long()
      : reason === 'required' || reason === 'too_small'
        ? m.growth_goal_title_required()
        : m.growth_field_bad();
  if (field === 'why') return reason === 'too_large' ? m.growth_goal_why_long() : m.growth_field_bad();
  if (field === 'dueOn' || field.endsWith('.dueOn')) return m.growth_field_date_bad();
  if (field.startsWith('steps.'))
    return reason === 'too_large' ? m.growth_goal_step_long() : m.growth_field_bad();
  return undefined;
}
