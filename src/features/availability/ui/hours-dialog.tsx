import { useId } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, TextInput, TextField, SelectField } from '#/web/components/field.tsx';
import { useForm } from '#/web/form.tsx';
import type { FieldTexts } from '#/web/failures.ts';
import type { AvailabilityView } from '../contract.ts';
import { windowProblem } from '../week/rules.ts';
import { clockText, hoursText, weekdayText } from './day-texts.ts';
import { typedProblems, windowText } from './problem-texts.ts';
import type { TypedWeek, TypedWindow } from './week-draft.ts';
import { minuteOf, windowIn, withHours, withoutHours, type OpenedHours } from './week-spans.ts';

export interface EditedHours {
  day: number;
  window: Omit<TypedWindow, 'key'>;
  /** The edited window; absent for new hours. */
  key?: string;
}

interface Values {
  day: string;
  from: string;
  to: string;
  placeId: string;
}

/** Exact times of hours in the grid. */
export function HoursDialog({
  week,
  view: { places, ...view },
  edited: { day, window, key },
  onDone,
  onClose,
}: {
  week: TypedWeek;
  view: AvailabilityView;
  edited: EditedHours;
  /** `news` names the change, and `key` the window that has these hours now. */
  onDone: (week: TypedWeek, news: string, key?: string) => void;
  onClose: () => void;
}) {
  const formId = useId();
  const opened = (typed: Values) =>
    withHours(
      week,
      {
        day: Number(typed.day),
        from: minuteOf(typed.from),
        to: minuteOf(typed.to),
        placeId: typed.placeId || null,
      },
      key,
    );
  const done = (next: OpenedHours) => {
    const found = windowIn(next.week, next.key)!;
    onDone(next.week, hoursText(found.weekday, found.window, places), next.key);
  };
  const remove = (removed: string) => {
    const hours = hoursText(day, window, places);
    onDone(withoutHours(week, removed), m.availability_news_hours_removed({ hours }));
  };
  const check = (typed: Values): FieldTexts => {
    const { from, to } = typed;
    const bad = windowProblem({ from, to: to === '00:00' ? '24:00' : to }, [], []);
    if (bad === 'not_a_time') return { [from ? 'to' : 'from']: windowText(bad) };
    if (bad && bad !== 'crosses_midnight') return { to: windowText(bad) };
    const next = opened(typed);
    if (!next) return { from: m.availability_hours_taken() };
    return { to: typedProblems(next.week, { places, ...view })[next.key] };
  };
  const form = useForm<Values>({
    values: {
      day: String(day),
      from: window.from,
      to: window.to === '24:00' ? '00:00' : window.to,
      placeId: window.placeId ?? '',
    },
    check,
    save: async (typed) => {
      const next = opened(typed);
      if (next) done(next);
    },
  });
  const { field, register, errorOf } = form;
  const typed = form.watch();
  const isOvernight = typed.to > '00:00' && typed.to < typed.from;
  const next = { day: weekdayText((Number(typed.day) % 7) + 1), time: clockText(typed.to || '00:00') };
  return (
    <Dialog
      open
      size="sm"
      onOpenChange={onClose}
      title={key ? m.availability_hours_edit() : m.availability_add()}
      footer={
        <>
          {key ? (
            <Button variant="secondary" className="sm:mr-auto" onClick={() => remove(key)}>
              {m.availability_remove()}
            </Button>
          ) : (
            <Button variant="secondary" onClick={onClose}>
              {m.web_cancel()}
            </Button>
          )}
          <Button type="submit" form={formId}>
            {key ? m.availability_hours_done() : m.availability_add()}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} className="grid gap-5">
        <SelectField label={m.availability_hours_day()} {...register('day')}>
          {week.days.map(({ weekday }) => (
            <option key={weekday} value={weekday}>
              {weekdayText(weekday)}
            </option>
          ))}
        </SelectField>
        <div className="grid grid-cols-2 gap-3">
          <TextField label={m.availability_hours_from()} type="time" step={1800} {...field('from')} />
          <Field
            label={m.availability_hours_to()}
            hint={isOvernight ? m.availability_hours_overnight(next) : undefined}
            error={errorOf('to')}
          >
            <TextInput type="time" step={1800} {...register('to')} />
          </Field>
        </div>
        {places.length > 0 && (
          <SelectField label={m.availability_hours_place()} {...register('placeId')}>
            <option value="">{m.availability_no_place()}</option>
            {places.map((place) => (
              <option key={place.id} value={place.id}>
                {place.name}
              </option>
            ))}
          </SelectField>
        )}
      </form>
    </Dialog>
  );
}
