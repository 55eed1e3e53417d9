import { useQueryClient } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFieldArray } from 'react-hook-form';
import goalLimits from 'virtual:limits/growth.goals.add';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChangedElsewhere } from '#/web/components/changed-elsewhere.tsx';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, FieldError, TextInput, Textarea, TextField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { useEditedVersion } from '#/web/edited-version.ts';
import type { Form } from '#/web/form.tsx';
import { withOptional } from '#/web/limits.ts';
import { newKey } from '#/web/request-key.ts';
import type { GoalView } from '../goals/contract.ts';
import { useGrowthForm } from './growth-actions.ts';

// Empty steps are dropped.
const limits = withOptional(goalLimits, 'steps.*.text');

interface Values {
  title: string;
  why: string;
  dueOn: string;
  steps: { id?: string; text: string; dueOn: string }[];
}

function valuesOf(goal: GoalView | null): Values {
  return {
    title: goal?.title ?? '',
    why: goal?.why ?? '',
    dueOn: goal?.dueOn ?? '',
    steps: goal?.steps.map(({ id, text, dueOn }) => ({ id, text, dueOn: dueOn ?? '' })) ?? [
      { text: '', dueOn: '' },
    ],
  };
}

/** Without the steps’ ids. */
function wordsOf({ steps, ...values }: Values) {
  return {
    ...values,
    steps: steps.filter(({ text }) => text.trim() !== '').map(({ text, dueOn }) => ({ text, dueOn })),
  };
}

export function GoalForm({ goal, onClose }: { goal: GoalView | null; onClose: () => void }) {
  const queries = useQueryClient();
  const [newId] = useState(newKey);

  const version = goal?.version ?? 0;
  const edited = useEditedVersion(version, wordsOf(valuesOf(goal)));

  const save = async (values: Values, base = edited.base) => {
    const { title, why, dueOn, steps: typed } = values;
    edited.sending(wordsOf(values));
    // Drop empty rows. After an error, the form's rows match its indexes.
    const steps = typed.filter(({ text }) => text.trim() !== '');
    const input = {
      title,
      ...(why.trim() === '' ? {} : { why }),
      ...(dueOn === '' ? {} : { dueOn }),
      steps: steps.map((step) => ({
        ...(step.id === undefined ? {} : { id: step.id }),
        text: step.text,
        ...(step.dueOn === '' ? {} : { dueOn: step.dueOn }),
      })),
    };
    try {
      if (goal) await api.growth.goals.change.call({ goalId: goal.id, version: base, ...input });
      else await api.growth.goals.add.call({ goalId: newId, ...input });
    } catch (error) {
      if (steps.length > 0) form.setValue('steps', steps);
      void queries.invalidateQueries({ queryKey: api.growth.goals.key() });
      throw error;
    }
    void queries.invalidateQueries({ queryKey: api.growth.key() });
    onClose();
  };
  const form = useGrowthForm<Values>({
    values: valuesOf(goal),
    limits,
    sentence,
    save: (values) => save(values),
  });
  const { field, register, errorOf } = form;
  const isOutdated = edited.isOutdated && !form.busy;
  const overwrite = () => {
    edited.follow(version);
    void form.submit((values) => save(values, version));
  };
  const load = () => {
    edited.follow(version);
    form.reset(valuesOf(goal));
    form.props.ref.current?.querySelector('input')?.focus();
  };

  return (
    <FormDialog
      title={goal ? m.growth_goal_edit_title() : m.growth_goal_new_title()}
      submitLabel={m.growth_goal_save()}
      failedTitle={m.web_did_not_work()}
      form={isOutdated ? { ...form, failure: null } : form}
      onClose={onClose}
    >
      {isOutdated && <ChangedElsewhere onOverwrite={overwrite} onLoad={load} />}
      <TextField label={m.growth_goal_field_title()} {...field('title')} />
      <div>
        <Field label={m.growth_goal_field_why()} error={errorOf('why')} optional>
          <Textarea rows={2} {...register('why')} className="min-h-20" />
        </Field>
        <CrisisHelp text={form.watch(['title', 'why']).join('\n')} className="mt-3" />
      </div>
      <Field label={m.growth_goal_field_due()} error={errorOf('dueOn')} optional className="sm:max-w-56">
        <TextInput type="date" {...register('dueOn')} />
      </Field>
      <GoalSteps form={form} />
    </FormDialog>
  );
}

function GoalSteps({ form }: { form: Form<Values> }) {
  const { register, errorOf } = form;
  const id = useId();
  const steps = useFieldArray({ control: form.control, name: 'steps', keyName: 'key' });
  const stepError = (at: number) => errorOf(`steps.${at}.text`) ?? errorOf(`steps.${at}.dueOn`);
  const removeStep = (at: number) => {
    flushSync(() => steps.remove(at));
    const rows = form.props.ref.current?.querySelectorAll<HTMLElement>('[data-step], [data-add-step]');
    rows?.[Math.max(0, Math.min(at, rows.length - 2))]?.focus();
  };
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold">
        {m.growth_goal_field_steps()}
        <span className="font-normal text-quiet"> ({m.web_optional()})</span>
      </legend>
      <p className="mb-3 text-sm text-quiet">{m.growth_goal_field_steps_hint()}</p>
      <ol className="grid gap-3">
        {steps.fields.map((step, index) => (
          <li key={step.key}>
            <div className="flex items-start gap-2">
              <div className="grid min-w-0 flex-1 gap-2 sm:grid-cols-[1fr_10.5rem]">
                <TextInput
                  data-step
                  aria-label={m.growth_goal_field_step({ number: index + 1 })}
                  aria-invalid={stepError(index) ? true : undefined}
                  aria-describedby={stepError(index) ? `${id}-step-${index}` : undefined}
                  placeholder={m.growth_goal_field_step({ number: index + 1 })}
                  {...register(`steps.${index}.text`)}
                />
                <TextInput
                  type="date"
                  aria-label={m.growth_goal_field_step_due({ number: index + 1 })}
                  {...register(`steps.${index}.dueOn`)}
                />
              </div>
              <Button
                variant="quiet"
                size="icon"
                aria-label={m.growth_goal_step_remove({ number: index + 1 })}
                onClick={() => removeStep(index)}
              >
                <X />
              </Button>
            </div>
            {stepError(index) && <FieldError id={`${id}-step-${index}`}>{stepError(index)}</FieldError>}
          </li>
        ))}
      </ol>
      {steps.fields.length < limits.steps!.max! && (
        <Button
          variant="quiet"
          size="sm"
          data-add-step
          className="mt-2 -ml-2"
          onClick={() => steps.append({ text: '', dueOn: '' })}
        >
          <Plus />
          {m.growth_goal_step_add()}
        </Button>
      )}
    </fieldset>
  );
}

function sentence(field: string, reason: string): string | undefined {
  if (field === 'title')
    return reason === 'required' || reason === 'too_small'
      ? m.growth_goal_title_required()
      : m.web_text_bad();
  if (field === 'dueOn' || field.endsWith('.dueOn')) return m.web_date_missing();
  return field === 'why' || field.startsWith('steps.') ? m.web_text_bad() : undefined;
}
