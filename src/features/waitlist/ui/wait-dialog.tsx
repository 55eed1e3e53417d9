import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { WaitDialogProps } from '#/features/appointments/ui/parts.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { fieldProblems, isRefusal } from '#/web/failures.ts';
import type { WishesInput } from '../contract.ts';
import { ProblemNotice } from '#/features/appointments/ui/problem-notice.tsx';
import { sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { dateIn, zoneText } from '#/web/times.ts';
import { WaitChecks } from './wait-checks.tsx';
import { dayPartChoices, weekdays, weekdayText, whenText } from './wait-texts.ts';
import { useWaits } from './waits.ts';

const day = 86_400_000;
/** Default and maximum end date without an appointment, in days. */
const usualDays = 30;
const mostDays = 365;

export function WaitDialog({ open, onOpenChange, wanted, timeZone, onFree }: WaitDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const formId = useId();
  const place = useRef<HTMLFormElement>(null);
  const { provider, appointment } = wanted;
  const [now] = useState(() => Date.now());
  const today = dateIn(now, timeZone);
  const last = dateAfter(today, mostDays);

  const before = useWaits().data?.find((one) =>
    appointment
      ? one.appointment?.id === appointment.id
      : !one.appointment && one.provider.id === provider.id && one.service.id === wanted.serviceId,
  );
  const [typed, setTyped] = useState<Partial<WishesInput>>({});
  const [type, setType] = useState(wanted.types[0] ?? 'online');
  const [tried, setTried] = useState(false);
  const wishes: WishesInput = {
    untilDate: appointment ? dateIn(appointment.startsAt, timeZone) : dateAfter(today, usualDays),
    weekdays: [...weekdays],
    dayParts: dayPartChoices.map(({ value }) => value),
    ...before?.wishes,
    ...typed,
    timeZone,
  };

  const ask = useMutation({
    mutationFn: (input: WishesInput) => {
      if (appointment) return api.waitlist.askEarlier.call({ ...input, appointmentId: appointment.id });
      const { serviceId, durationMinutes } = wanted;
      return api.waitlist.ask.call({
        ...input,
        providerId: provider.id,
        serviceId,
        durationMinutes,
        sessionType: type,
      });
    },
    networkMode: 'always',
    onSuccess: () => {
      onOpenChange(false);
      toast({
        tone: 'success',
        title: before ? m.waitlist_changed() : m.waitlist_asked(),
        description: before ? m.waitlist_changed_text() : m.waitlist_asked_text(),
      });
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void queries.invalidateQueries({ queryKey: api.waitlist.key() });
    },
  });

  useEffect(() => {
    if (ask.error) place.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [ask.error]);

  const refusedDate = fieldProblems(ask.error).some(({ field }) => field === 'untilDate');
  const wrong = {
    until: refusedDate || (tried && !(wishes.untilDate >= today && wishes.untilDate <= last)),
    days: tried && wishes.weekdays.length === 0,
    parts: tried && wishes.dayParts.length === 0,
  };
  const change = (next: Partial<WishesInput>) => {
    if (ask.isError) ask.reset();
    setTyped((earlier) => ({ ...earlier, ...next }));
  };
  const submit = () => {
    setTried(true);
    const complete =
      wishes.untilDate >= today &&
      wishes.untilDate <= last &&
      wishes.weekdays.length > 0 &&
      wishes.dayParts.length > 0;
    if (complete) ask.mutate(wishes);
    else {
      requestAnimationFrame(() => place.current?.querySelector<HTMLElement>('[data-problem] input')?.focus());
    }
  };

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
          <Button type="submit" form={formId} busy={ask.isPending}>
            {before ? m.waitlist_change_save() : m.waitlist_save()}
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
          // React events bubble through portals to outer forms.
          event.stopPropagation();
          submit();
        }}
        className="grid gap-6"
      >
        {!appointment && wanted.types.length > 1 && (
          <ChoiceGroup
            layout="chips"
            legend={m.waitlist_meet()}
            choices={wanted.types.map((value) => ({ value, label: sessionTypeText(value) }))}
            value={type}
            onChange={setType}
          />
        )}
        <WaitChecks
          legend={m.waitlist_weekdays()}
          hint={m.waitlist_zone({ zone: zoneText(timeZone) })}
          error={wrong.days && m.waitlist_weekdays_required()}
          choices={weekdays.map((value) => ({ value, label: weekdayText(value) }))}
          values={wishes.weekdays}
          onChange={(next) => change({ weekdays: next })}
        />
        <WaitChecks
          legend={m.waitlist_parts()}
          hint={m.waitlist_parts_hint()}
          error={wrong.parts && m.waitlist_parts_required()}
          choices={dayPartChoices.map(({ value, label }) => ({ value, label: label() }))}
          values={wishes.dayParts}
          onChange={(next) => change({ dayParts: next })}
        />
        <div data-problem={wrong.until ? '' : undefined}>
          <Field
            label={m.waitlist_until()}
            hint={m.waitlist_until_hint()}
            error={wrong.until && m.waitlist_until_required()}
            className="sm:max-w-60"
          >
            <TextInput
              type="date"
              min={today}
              max={last}
              value={wishes.untilDate}
              onChange={(event) => change({ untilDate: event.target.value })}
            />
          </Field>
        </div>
        {!refusedDate && (
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

function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * day).toISOString().slice(0, 10);
}
