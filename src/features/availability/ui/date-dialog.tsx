import { useId } from 'react';
import setLimits from 'virtual:limits/availability.setDates';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, FieldError, TextInput, TextField } from '#/web/components/field.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText } from '#/web/failures.ts';
import { useForm, type Form } from '#/web/form.tsx';
import { withOptional } from '#/web/limits.ts';
import type { AvailabilityView } from '../contract.ts';
import { useAvailability } from './availability-queries.ts';
import type { DateSpan } from './date-spans.ts';
import { dateText, datesText } from './day-texts.ts';
import { DayWindows } from './day-windows.tsx';
import { windowText } from './problem-texts.ts';
import { typedWindow, withWindow, type TypedWindow } from './week-draft.ts';

const limits = withOptional(setLimits, 'replaces.from', 'replaces.to');

interface Values {
  kind: 'off' | 'hours';
  from: string;
  to: string;
  windows: TypedWindow[];
  note: string;
}

export function DateDialog({
  view,
  span,
  off,
  onNews,
  onClose,
}: {
  view: AvailabilityView;
  span: DateSpan | null;
  off: boolean;
  onNews: (news: string) => void;
  onClose: () => void;
}) {
  const { show } = useAvailability();
  const form = useForm<Values>({
    values: valuesOf(span, off),
    limits,
    input: inputOf,
    sentence,
    check: ({ kind, windows }): { windows?: string } =>
      kind === 'hours' && windows.length === 0 ? { windows: m.availability_bad_windows() } : {},
    failureText: (error) => `${failureText(error)} ${m.availability_failed_kept()}`,
    save: async (typed) => {
      const { from, to } = typed;
      const stored = await api.availability.setDates.call({
        ...inputOf(typed),
        ...(span && { replaces: { from: span.from, to: span.to } }),
      });
      show(stored);
      const title = m.availability_date_saved({ date: datesText(from, to || from) });
      toast.done(title);
      onNews(title);
      onClose();
    },
  });
  const { field, register, choice, errorOf } = form;
  return (
    <FormDialog
      title={span ? m.availability_date_form_change() : m.availability_date_form_new()}
      submitLabel={m.availability_date_save()}
      form={form}
      onClose={onClose}
    >
      <ChoiceGroup
        legend={m.availability_date_kind()}
        choices={[
          {
            value: 'off',
            label: m.availability_date_kind_off(),
            description: m.availability_date_kind_off_text(),
          },
          {
            value: 'hours',
            label: m.availability_date_kind_hours(),
            description: m.availability_date_kind_hours_text(),
          },
        ]}
        {...choice('kind')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={m.availability_date_first()} error={errorOf('from')}>
          <TextInput type="date" required min={view.today} {...register('from')} />
        </Field>
        <Field
          label={m.availability_date_last()}
          hint={m.availability_date_last_hint()}
          error={errorOf('to')}
          optional
        >
          <TextInput type="date" min={form.watch('from') || view.today} {...register('to')} />
        </Field>
      </div>
      {form.watch('kind') === 'hours' && <DateWindows form={form} places={view.places} onNews={onNews} />}
      <TextField
        label={m.availability_date_note()}
        hint={m.availability_date_note_hint()}
        optional
        {...field('note')}
      />
    </FormDialog>
  );
}

function DateWindows({
  form: { choice, errorOf, watch },
  places,
  onNews,
}: {
  form: Form<Values>;
  places: AvailabilityView['places'];
  onNews: (news: string) => void;
}) {
  const id = useId();
  const { value: windows, onChange } = choice('windows');
  const from = watch('from');
  const problemOf = (index: number) =>
    ['', '.from', '.to', '.placeId'].map((part) => errorOf(`windows.${index}${part}`)).find(Boolean);
  const problems = windows.map((_, index) => problemOf(index));
  const problem = problems.some(Boolean) ? undefined : errorOf('windows');
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold">{m.availability_date_windows()}</legend>
      <DayWindows
        windows={windows}
        day={from === '' ? m.availability_that_date() : dateText(from)}
        places={places}
        problems={Object.fromEntries(windows.map(({ key }, index) => [key, problems[index]]))}
        onChange={onChange}
        onNews={onNews}
      />
      {problem && <FieldError id={`${id}-windows`}>{problem}</FieldError>}
    </fieldset>
  );
}

function valuesOf(span: DateSpan | null, off: boolean): Values {
  const windows = span?.windows.map(typedWindow) ?? [];
  return {
    kind: off ? 'off' : 'hours',
    from: span?.from ?? '',
    to: span && span.to !== span.from ? span.to : '',
    windows: windows.length > 0 ? windows : withWindow([]),
    note: span && !span.holiday ? span.note : '',
  };
}

function inputOf({ kind, from, to, windows, note }: Values) {
  return {
    from,
    ...(to === '' ? {} : { to }),
    windows:
      kind === 'off'
        ? []
        : windows.map(({ from: begin, to: end, placeId }) => ({ from: begin, to: end, placeId })),
    note,
  };
}

const dateTexts: Readonly<Partial<Record<string, () => string>>> = {
  in_past: m.availability_bad_date_past,
  before_from: m.availability_bad_date_order,
  too_far: m.availability_bad_date_far,
};

function sentence(field: string, reason: string): string | undefined {
  if (field.startsWith('windows')) return windowText(reason);
  if (field === 'note') return m.web_text_bad();
  if (field === 'from' || field === 'to') return (dateTexts[reason] ?? m.web_date_missing)();
  return undefined;
}
