import { useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { isoOf } from '#/kernel/iso.ts';
import type { StartRefusal } from '#/features/appointments/appointment/contract.ts';
import { FreeTimes } from '#/features/appointments/ui/free-times.tsx';
import { LengthChoices } from '#/features/appointments/ui/length-choices.tsx';
import { focusFirstProblem } from '#/features/appointments/ui/focus-problem.ts';
import { ProblemNotice, useProblemInSight } from '#/features/appointments/ui/problem-notice.tsx';
import { clashText } from '#/features/appointments/ui/failure-text.ts';
import { ServiceSelect } from '#/features/appointments/ui/service-select.tsx';
import { minutesText, sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { shortDateText, timeText, zoneText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup, Switch } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, TextInput, TextField } from '#/web/components/field.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { fieldProblems, isRefusal } from '#/web/failures.ts';
import { useBookForForm, type BookForForm } from './book-for-form.ts';
import { ClientChoice, NewPerson } from './client-choice.tsx';

export function BookForDialog({
  open,
  onOpenChange,
  start,
  date,
  timeZone,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Pressed calendar time in epoch milliseconds. */
  start: number | null;
  date: string;
  timeZone: string;
}) {
  const formElement = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const form = useBookForForm({
    startsAt: start === null ? null : isoOf(start),
    date,
    timeZone,
    onBooked: (appointments, name) => {
      onOpenChange(false);
      const count = appointments.length;
      toast.done(count > 1 ? m.schedule_for_done_series({ name, count }) : m.schedule_for_done({ name }));
    },
    onIncomplete: () => requestAnimationFrame(() => focusFirstProblem(formElement.current)),
  });
  const { error } = form.book;
  useProblemInSight(formElement, error);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={m.schedule_for_title()}
      description={m.schedule_for_text()}
      footer={
        <>
          <Chosen form={form} timeZone={timeZone} />
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {m.web_cancel()}
          </Button>
          <Button ref={submit} type="submit" form={formId} busy={form.book.isPending}>
            {m.schedule_for_confirm()}
          </Button>
        </>
      }
    >
      <form
        ref={formElement}
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          flushSync(form.submit);
        }}
        className="grid gap-7"
      >
        <ChoiceGroup
          layout="chips"
          legend={m.schedule_for_who()}
          choices={[
            { value: 'existing', label: m.schedule_for_existing() },
            { value: 'new', label: m.schedule_for_new() },
          ]}
          value={form.who}
          onChange={(who) => form.changeWhom({ who })}
        />
        {form.who === 'new' ? <NewPerson form={form} /> : <ClientChoice form={form} />}
        <Session form={form} />
        <When form={form} timeZone={timeZone} />
        <ProblemNotice
          error={isAboutPerson(error) ? null : error}
          about={{ name: form.specialist.data?.name ?? m.schedule_for_you() }}
          zone={timeZone}
          onChoose={(next) => {
            form.take(next);
            submit.current?.focus();
          }}
        />
        <Clashes error={error} name={form.specialist.data?.name ?? ''} timeZone={timeZone} />
      </form>
    </Dialog>
  );
}

function Session({ form }: { form: BookForForm }) {
  const { offered, service, problems, draft, services, specialist } = form;
  if (specialist.isError || services.isError) {
    return (
      <ProblemNotice
        error={specialist.error ?? services.error}
        about={{ name: m.schedule_for_you() }}
        zone="UTC"
        onChoose={() => undefined}
      />
    );
  }
  if (!specialist.data || !services.data) {
    return (
      <Loading>
        <Skeleton className="h-40" />
      </Loading>
    );
  }
  return (
    <>
      <ServiceSelect
        offered={offered}
        service={service}
        error={problems.service}
        onChoose={(serviceId) => form.change({ serviceId, durationMinutes: null })}
      />
      <div data-problem={problems.type ? '' : undefined}>
        <ChoiceGroup
          legend={m.booking_session_type()}
          error={problems.type}
          choices={form.types.map((value) => ({ value, label: sessionTypeText(value) }))}
          value={form.type}
          onChange={(sessionType) => form.change({ sessionType })}
        />
      </div>
      {form.type === 'phone' && form.who === 'existing' && (
        <div data-problem={problems.phone ? '' : undefined}>
          <TextField
            label={m.schedule_for_phone()}
            hint={m.schedule_for_phone_hint()}
            error={problems.phone}
            className="sm:max-w-xs"
            type="tel"
            autoComplete="off"
            required
            value={form.phone}
            onChange={({ target }) => form.changeWhom({ phone: target.value })}
          />
        </div>
      )}
      <LengthChoices
        service={service}
        durations={form.durations}
        durationMinutes={form.durationMinutes}
        recurrence={draft.recurrence}
        sessions={draft.sessions}
        onChange={form.change}
      />
    </>
  );
}

function When({ form, timeZone }: { form: BookForForm; timeZone: string }) {
  const { draft, problems, times } = form;
  return (
    <div className="grid gap-4">
      <Switch
        label={m.schedule_for_outside()}
        description={m.schedule_for_outside_text()}
        checked={draft.outsideHours}
        onChange={({ target }) => form.change({ outsideHours: target.checked })}
      />
      {draft.outsideHours ? (
        <div className="grid grid-cols-2 gap-5">
          <div data-problem={problems.date ? '' : undefined}>
            <Field label={m.web_date()} error={problems.date}>
              <TextInput
                type="date"
                required
                value={draft.date}
                onChange={({ target }) => form.change({ date: target.value })}
              />
            </Field>
          </div>
          <div data-problem={problems.time ? '' : undefined}>
            <TextField
              label={m.schedule_for_time()}
              hint={m.booking_zone({ zone: zoneText(timeZone) })}
              error={problems.time}
              type="time"
              step={300}
              required
              value={draft.time}
              onChange={({ target }) => form.change({ time: target.value })}
            />
          </div>
        </div>
      ) : (
        <FreeTimes
          times={times}
          providerName={m.schedule_for_you()}
          durationMinutes={form.durationMinutes}
          dateError={problems.date}
          timeError={problems.time}
        />
      )}
    </div>
  );
}

/** True for errors on client fields and the daily limit on new clients. */
function isAboutPerson(error: unknown): boolean {
  return fieldProblems(error).some(({ field }) => field.startsWith('client.'));
}

function Chosen({ form, timeZone }: { form: BookForForm; timeZone: string }) {
  const { start } = form;
  const name = form.who === 'new' ? form.person.name.trim() : form.client?.name;
  return (
    <p aria-live="polite" className={name && start ? 'basis-full font-semibold' : 'absolute'}>
      {name &&
        start &&
        `${name}: ${m.web_date_time({
          date: shortDateText(start, timeZone),
          time: timeText(start, timeZone),
        })}, ${minutesText(form.durationMinutes)}`}
    </p>
  );
}

function Clashes({ error, name, timeZone }: { error: unknown; name: string; timeZone: string }) {
  const clashes = isRefusal(error) ? error.data.clashes : null;
  if (!Array.isArray(clashes) || clashes.length < 2) return null;
  return (
    <ul className="grid gap-1.5">
      {(clashes as { startsAt: string; refusal: StartRefusal }[]).map(({ startsAt, refusal }) => (
        <li key={startsAt}>
          <time dateTime={startsAt} className="font-medium">
            {m.web_date_time({
              date: shortDateText(startsAt, timeZone),
              time: timeText(startsAt, timeZone),
            })}
          </time>
          <span className="text-clay"> {clashText(refusal, { name })}</span>
        </li>
      ))}
    </ul>
  );
}
