import { useEffect, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { isoOf } from '#/kernel/iso.ts';
import type { StartRefusal } from '#/features/appointments/appointment/contract.ts';
import { FreeTimes } from '#/features/appointments/ui/free-times.tsx';
import { LengthLabel } from '#/features/appointments/ui/length-label.tsx';
import { ProblemNotice } from '#/features/appointments/ui/problem-notice.tsx';
import { clashText } from '#/features/appointments/ui/problem-text.ts';
import { minutesText, recurrenceText, sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { shortDateText, timeText, zoneText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup, Switch } from '#/web/components/choice.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, Select, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { fieldProblems, isRefusal } from '#/web/failures.ts';
import { useBookForForm, type BookForForm } from './book-for-form.ts';
import { NewPerson } from './new-person.tsx';

const seriesLengths = Array.from({ length: 11 }, (_, index) => index + 2);

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
  const { toast } = useToast();
  const place = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const form = useBookForForm({
    startsAt: start === null ? null : isoOf(start),
    date,
    timeZone,
    onBooked: (appointments, name) => {
      onOpenChange(false);
      const count = appointments.length;
      toast({
        tone: 'success',
        title: count > 1 ? m.schedule_for_done_series({ name, count }) : m.schedule_for_done({ name }),
      });
    },
    onIncomplete: () => requestAnimationFrame(() => focusFirstProblem(place.current)),
  });
  const { error } = form.book;
  useEffect(() => {
    if (error) place.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [error]);
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
            {m.booking_cancel()}
          </Button>
          <Button ref={submit} type="submit" form={formId} busy={form.book.isPending}>
            {m.schedule_for_confirm()}
          </Button>
        </>
      }
    >
      <form
        ref={place}
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
          onChange={form.chooseWho}
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

function ClientChoice({ form }: { form: BookForForm }) {
  const { clients, client, problems } = form;
  if (clients.isError && !clients.data) {
    return (
      <Notice
        tone="destructive"
        title={m.schedule_for_clients_failed()}
        action={
          <Button
            variant="secondary"
            size="sm"
            busy={clients.isFetching}
            onClick={() => void clients.refetch()}
          >
            {m.booking_try_again()}
          </Button>
        }
      />
    );
  }
  const found = (clients.data?.clients ?? []).filter(({ erased }) => !erased);
  const known = client && !found.some(({ id }) => id === client.id) ? [client, ...found] : found;
  return (
    <div data-problem={problems.client ? '' : undefined}>
      <Field
        label={m.schedule_for_client()}
        hint={
          clients.isSuccess && known.length === 0 && !clients.isPlaceholderData
            ? m.schedule_for_client_none()
            : m.schedule_for_client_hint()
        }
        error={problems.client}
      >
        <Combobox
          required
          autoComplete="off"
          maxLength={200}
          value={client?.id ?? ''}
          offers={known.map(({ id, name }) => ({ value: id, label: name }))}
          searching={clients.isFetching}
          onType={form.search}
          onChange={(id) => form.chooseClient(known.find((one) => one.id === id) ?? null)}
        />
      </Field>
    </div>
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
      <div data-problem={problems.service ? '' : undefined}>
        <Field label={m.booking_service()} error={problems.service}>
          <Select
            value={service?.id ?? ''}
            onChange={({ target }) => form.change({ serviceId: target.value, durationMinutes: null })}
          >
            {!service && <option value="">{m.booking_service_choose()}</option>}
            {offered.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </Field>
      </div>
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
          <Field
            label={m.schedule_for_phone()}
            hint={m.schedule_for_phone_hint()}
            error={problems.phone}
            className="sm:max-w-xs"
          >
            <TextInput
              type="tel"
              autoComplete="off"
              maxLength={40}
              required
              value={form.phone}
              onChange={({ target }) => form.change({ phone: target.value })}
            />
          </Field>
        </div>
      )}
      <div className="grid gap-x-8 gap-y-7 sm:grid-cols-2">
        <ChoiceGroup
          layout="chips"
          legend={m.booking_duration()}
          choices={form.durations.map((minutes) => ({
            value: String(minutes),
            label: <LengthLabel service={form.service} minutes={minutes} />,
          }))}
          value={String(form.durationMinutes)}
          onChange={(minutes) => form.change({ durationMinutes: Number(minutes) })}
        />
        <ChoiceGroup
          layout="chips"
          legend={m.booking_recurrence()}
          choices={(['one_time', 'weekly', 'biweekly'] as const).map((value) => ({
            value,
            label: recurrenceText(value),
          }))}
          value={draft.recurrence}
          onChange={(recurrence) => form.change({ recurrence })}
        />
      </div>
      {draft.recurrence !== 'one_time' && (
        <Field
          label={m.booking_sessions()}
          hint={draft.recurrence === 'weekly' ? m.booking_sessions_weekly() : m.booking_sessions_biweekly()}
          className="sm:max-w-xs"
        >
          <Select
            value={draft.sessions}
            onChange={({ target }) => form.change({ sessions: Number(target.value) })}
          >
            {seriesLengths.map((count) => (
              <option key={count} value={count}>
                {m.booking_sessions_count({ count })}
              </option>
            ))}
          </Select>
        </Field>
      )}
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
            <Field label={m.schedule_for_date()} error={problems.date}>
              <TextInput
                type="date"
                required
                value={draft.date}
                onChange={({ target }) => form.change({ date: target.value })}
              />
            </Field>
          </div>
          <div data-problem={problems.time ? '' : undefined}>
            <Field
              label={m.schedule_for_time()}
              hint={m.schedule_for_time_hint({ zone: zoneText(timeZone) })}
              error={problems.time}
            >
              <TextInput
                type="time"
                step={300}
                required
                value={draft.time}
                onChange={({ target }) => form.change({ time: target.value })}
              />
            </Field>
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
        `${name}: ${m.booking_date_time({
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
            {m.booking_date_time({
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

const controls = [
  'td button:not(:disabled)',
  'input:checked',
  'select, input:not(:disabled)',
  '[tabindex="-1"]',
];

function focusFirstProblem(form: HTMLFormElement | null): void {
  const first = form?.querySelector('[data-problem]');
  const found = controls.map((one) => first?.querySelector<HTMLElement>(one)).find(Boolean);
  found?.focus();
  first?.scrollIntoView({ block: 'nearest' });
}
