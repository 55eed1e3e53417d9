import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import limits from 'virtual:limits/waitlist.ask';
import type { WaitDialogProps } from '#/features/appointments/ui/parts.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, TextInput, FieldError } from '#/web/components/field.tsx';
import { toast } from '#/web/components/toast.tsx';
import { fieldTexts, isRefusal } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import type { AskInput, WaitView } from '../contract.ts';
import { ProblemNotice, useProblemInSight } from '#/features/appointments/ui/problem-notice.tsx';
import { sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { dateIn, zoneText } from '#/web/times.ts';
import { dayPartChoices, weekdays, weekdayText, whenText } from './wait-texts.ts';
import { useWaits } from './waits.ts';
import { classes } from '#/web/components/classes.ts';

const day = 86_400_000;
/** In days, without an appointment. */
const usualDays = 30;
const maxDays = 365;

type Values = Pick<AskInput, 'untilDate' | 'weekdays' | 'dayParts' | 'sessionType'>;

export function WaitDialog({ open, onOpenChange, wanted, timeZone, onFree }: WaitDialogProps) {
  const formId = useId();
  const { provider, appointment } = wanted;
  const [now] = useState(() => Date.now());
  const today = dateIn(now, timeZone);
  const last = dateAfter(today, maxDays);
  const before = useEarlierWait(wanted);
  const wishes = before?.wishes;
  const ask = useAsk(wanted, timeZone, before, () => onOpenChange(false));

  const form = useForm<Values>({
    values: {
      untilDate:
        wishes?.untilDate ??
        (appointment ? dateIn(appointment.startsAt, timeZone) : dateAfter(today, usualDays)),
      weekdays: wishes?.weekdays ?? [...weekdays],
      dayParts: wishes?.dayParts ?? dayPartChoices.map(({ value }) => value),
      sessionType: wanted.types[0] ?? 'online',
    },
    // The list may load after the dialog opens.
    version: JSON.stringify([wishes, appointment?.startsAt]),
    limits,
    sentence,
    check: ({ untilDate }): { untilDate?: string } =>
      untilDate >= today && untilDate <= last ? {} : { untilDate: m.waitlist_until_required() },
    save: (typed) => ask.mutateAsync(typed),
  });
  const { register, choice, errorOf } = form;
  useProblemInSight(form.props.ref, ask.error);

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={appointment ? m.waitlist_title() : m.waitlist_title_new()}
      description={
        appointment
          ? m.waitlist_text({ name: provider.name, when: whenText(appointment.startsAt, timeZone) })
          : m.waitlist_text_new({ name: provider.name })
      }
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {m.waitlist_cancel()}
          </Button>
          <Button type="submit" form={formId} busy={form.busy}>
            {before ? m.waitlist_change_save() : m.waitlist_save()}
          </Button>
        </>
      }
    >
      <form {...form.props} id={formId} onChange={() => ask.isError && ask.reset()} className="grid gap-6">
        {!appointment && wanted.types.length > 1 && (
          <ChoiceGroup
            layout="chips"
            legend={m.waitlist_meet()}
            choices={wanted.types.map((value) => ({ value, label: sessionTypeText(value) }))}
            {...choice('sessionType')}
          />
        )}
        <WaitChecks
          legend={m.waitlist_weekdays()}
          hint={m.web_times_in_zone({ zone: zoneText(timeZone) })}
          error={errorOf('weekdays')}
          choices={weekdays.map((value) => ({ value, label: weekdayText(value) }))}
          {...choice('weekdays')}
        />
        <WaitChecks
          legend={m.waitlist_parts()}
          hint={m.waitlist_parts_hint()}
          error={errorOf('dayParts')}
          choices={dayPartChoices.map(({ value, label }) => ({ value, label: label() }))}
          {...choice('dayParts')}
        />
        <Field
          label={m.waitlist_until()}
          hint={m.waitlist_until_hint()}
          error={errorOf('untilDate')}
          className="sm:max-w-60"
        >
          <TextInput type="date" min={today} max={last} {...register('untilDate')} />
        </Field>
        {!isAtField(ask.error) && (
          <ProblemNotice
            error={ask.error}
            about={{ name: provider.name, existing: true }}
            zone={timeZone}
            onChoose={(start) => {
              onOpenChange(false);
              onFree(start);
            }}
          />
        )}
      </form>
    </Dialog>
  );
}

const sentences: Readonly<Record<string, () => string>> = {
  untilDate: m.waitlist_until_required,
  weekdays: m.web_days_missing,
  dayParts: m.waitlist_parts_required,
};

function sentence(field: string): string | undefined {
  return sentences[field]?.();
}

function isAtField(error: unknown): boolean {
  return Object.keys(fieldTexts(error, sentence)).length > 0;
}

type Wanted = WaitDialogProps['wanted'];

function useEarlierWait({ provider, serviceId, appointment }: Wanted): WaitView | undefined {
  return useWaits().data?.find((one) =>
    appointment
      ? one.appointment?.id === appointment.id
      : !one.appointment && one.provider.id === provider.id && one.service.id === serviceId,
  );
}

/** Joins the waiting list or changes the preferences of an earlier entry. */
function useAsk(
  { provider, serviceId, durationMinutes, appointment }: Wanted,
  timeZone: string,
  before: WaitView | undefined,
  onAsked: () => void,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ sessionType, ...wishes }: Values) =>
      appointment
        ? api.waitlist.joinEarlier.call({ ...wishes, timeZone, appointmentId: appointment.id })
        : api.waitlist.ask.call({
            ...wishes,
            timeZone,
            providerId: provider.id,
            serviceId,
            durationMinutes,
            sessionType,
          }),
    onSuccess: () => {
      onAsked();
      toast.done(
        before ? m.waitlist_changed() : m.waitlist_asked(),
        before ? m.waitlist_place_kept() : m.waitlist_asked_text(),
      );
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void queries.invalidateQueries({ queryKey: api.waitlist.key() });
    },
  });
}

function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * day).toISOString().slice(0, 10);
}

function WaitChecks<Value extends string | number>({
  legend,
  hint,
  error,
  choices,
  value: values,
  onChange,
  className,
}: {
  legend: string;
  hint?: string;
  error?: string | undefined;
  choices: readonly { value: Value; label: string }[];
  value: readonly Value[];
  onChange: (values: Value[]) => void;
  className?: string;
}) {
  const id = useId();
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return (
    <fieldset aria-describedby={ids || undefined} className={classes('min-w-0', className)}>
      <legend className="mb-1.5 font-semibold">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-quiet">
          {hint}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {choices.map(({ value, label }) => {
          const checked = values.includes(value);
          return (
            <label
              key={value}
              className={classes(
                'relative flex min-h-11 min-w-14 items-center justify-center rounded-control border bg-card px-3 py-2 text-center font-medium transition-colors duration-150',
                'hover:border-ink has-checked:border-primary has-checked:bg-primary has-checked:text-on-primary',
                'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
                error ? 'border-clay' : 'border-control',
              )}
            >
              {/* Invisible input covering the label, so the touch target is the control itself. */}
              <input
                type="checkbox"
                checked={checked}
                aria-invalid={error ? true : undefined}
                onChange={() =>
                  onChange(checked ? values.filter((one) => one !== value) : [...values, value])
                }
                className="absolute inset-0 size-full cursor-pointer appearance-none rounded-control outline-none"
              />
              {label}
            </label>
          );
        })}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
