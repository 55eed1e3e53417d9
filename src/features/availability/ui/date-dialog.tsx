import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { flushSync } from 'react-dom';
import type { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Field, FieldError, TextInput } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { failureText, isRefusal } from '#/web/failures.ts';
import type { AvailabilityView } from '../contract.ts';
import { useAvailability } from './availability-queries.ts';
import type { DateSpan } from './date-spans.ts';
import { dateText, datesText } from './day-texts.ts';
import { DayWindows } from './day-windows.tsx';
import { indexIn, windowText, type Problems } from './problem-texts.ts';
import { typedWindow, withWindow } from './week-draft.ts';

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
  const { api, show } = useAvailability();
  const { toast } = useToast();
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isOff, setOff] = useState(off);
  const [from, setFrom] = useState(span?.from ?? '');
  const [to, setTo] = useState(span && span.to !== span.from ? span.to : '');
  const [note, setNote] = useState(span && !span.holiday ? span.note : '');
  const [windows, setWindows] = useState(() => {
    const first = span?.windows.map(typedWindow) ?? [];
    return first.length > 0 ? first : withWindow([]);
  });
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const showProblems = (found: Problems) => {
    flushSync(() => setProblems(found));
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  };

  const { mutate, isPending } = useMutation({
    ...api.availability.setDates.mutationOptions(),
    onSuccess: (stored) => {
      show(stored);
      const title = m.availability_date_saved({ date: datesText(from, to || from) });
      toast({ tone: 'success', title });
      onNews(title);
      onClose();
    },
    onError: (error) => {
      const refused = isRefusal(error) ? refusals(error) : {};
      if (Object.keys(refused).length > 0) showProblems(refused);
      else setFailure(failureText(error));
    },
  });
  const refusals = (error: AppError): Problems =>
    Object.fromEntries(
      error.fields.flatMap(({ field, reason }) => {
        if (field.startsWith('windows')) {
          const key = windows[indexIn(field)]?.key;
          return key === undefined ? [] : [[key, windowText(reason)]];
        }
        if (field === 'note') return [[field, m.availability_bad_note()]];
        const text = dateTexts[reason] ?? m.availability_bad_date;
        return [[field === 'to' && to !== '' ? 'to' : 'from', text()]];
      }),
    );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isPending) return;
    setFailure(null);
    if (from === '') return showProblems({ from: m.availability_bad_date() });
    if (!isOff && windows.length === 0) return showProblems({ windows: m.availability_bad_windows() });
    setProblems({});
    mutate({
      from,
      ...(to === '' ? {} : { to }),
      windows: isOff
        ? []
        : windows.map(({ from: begin, to: end, placeId }) => ({ from: begin, to: end, placeId })),
      note,
    });
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={span ? m.availability_date_form_change() : m.availability_date_form_new()}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {m.web_cancel()}
          </Button>
          <Button type="submit" form={formId} busy={isPending}>
            {m.availability_date_save()}
          </Button>
        </>
      }
    >
      <form ref={form} id={formId} noValidate onSubmit={submit} className="grid gap-5">
        {failure && (
          <Notice tone="destructive" title={m.availability_failed()}>
            {failure} {m.availability_failed_kept()}
          </Notice>
        )}
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
          value={isOff ? 'off' : 'hours'}
          onChange={(kind) => setOff(kind === 'off')}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={m.availability_date_first()} error={problems.from}>
            <TextInput
              type="date"
              required
              min={view.today}
              value={from}
              onChange={({ target }) => setFrom(target.value)}
            />
          </Field>
          <Field
            label={m.availability_date_last()}
            hint={m.availability_date_last_hint()}
            error={problems.to}
            optional
          >
            <TextInput
              type="date"
              min={from || view.today}
              value={to}
              onChange={({ target }) => setTo(target.value)}
            />
          </Field>
        </div>
        {!isOff && (
          <fieldset className="min-w-0">
            <legend className="mb-1.5 font-semibold">{m.availability_date_windows()}</legend>
            <DayWindows
              windows={windows}
              day={from === '' ? m.availability_that_date() : dateText(from)}
              places={view.places}
              problems={problems}
              onChange={setWindows}
              onNews={onNews}
            />
            {problems.windows && <FieldError id={`${formId}-windows`}>{problems.windows}</FieldError>}
          </fieldset>
        )}
        <Field
          label={m.availability_date_note()}
          hint={m.availability_date_note_hint()}
          error={problems.note}
          optional
        >
          <TextInput value={note} maxLength={200} onChange={({ target }) => setNote(target.value)} />
        </Field>
      </form>
    </Dialog>
  );
}

const dateTexts: Readonly<Partial<Record<string, () => string>>> = {
  in_past: m.availability_bad_date_past,
  before_from: m.availability_bad_date_order,
  too_far: m.availability_bad_date_far,
};
