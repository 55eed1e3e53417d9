import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { kindText } from '#/features/providers/practice/rules.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { LeaveGuard } from '#/web/components/leave-guard.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { AppointmentView } from '../appointment/contract.ts';
import { BookFields } from './book-fields.tsx';
import { useBookForm, type BookForm } from './book-form.ts';
import { writeAddress, type BookingStart } from './booking-start.ts';
import { ConfirmedDialog } from './confirmed-dialog.tsx';
import { focusFirstProblem } from './focus-problem.ts';
import type { BookingParts } from './parts.ts';
import { useProblemInSight } from './problem-notice.tsx';
import { SpecialistChoice } from './specialist-choice.tsx';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import { priceText } from '#/features/catalogue/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import type { FreeTimesChoice } from './free-times-choice.ts';
import { minutesText, recurrenceText, sessionTypeText } from './session-texts.ts';
import { elsewhereText, shortDateText, timeText } from '#/web/times.ts';

export function BookDialog({
  open,
  onOpenChange,
  providerId,
  serviceId,
  asGuest,
  parts,
  usual,
  ...begun
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  asGuest: boolean;
  parts: BookingParts;
} & BookingStart) {
  const [whom, setWhom] = useState<{ providerId: string | undefined; serviceId: string | undefined }>(
    usual ?? { providerId, serviceId },
  );
  const [booked, setBooked] = useState<AppointmentView[] | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const formElement = useRef<HTMLFormElement>(null);
  const submit = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const form = useBookForm({
    ...whom,
    ...begun,
    askForTime: asGuest ? parts.askForTime : null,
    onBooked: setBooked,
    onAsked: (address) => {
      if (sentTo !== null) toast.done(m.booking_asked_sent_again());
      setSentTo(address);
    },
    onIncomplete: () => backToForm(() => focusFirstProblem(formElement.current)),
  });
  const backToForm = (focus: () => void) => {
    setSentTo(null);
    requestAnimationFrame(focus);
  };
  useProblemInSight(formElement, form.book.error);
  const unsent = open && !booked && sentTo === null;
  useUnsentInAddress(unsent, { ...whom, ...form.chosen, asGuest });

  const shown = { open, onOpenChange };
  if (booked) return <ConfirmedDialog {...shown} appointments={booked} zone={form.zone} parts={parts} />;

  if (sentTo !== null) {
    return (
      <parts.AskedDialog
        {...shown}
        form={form}
        sentTo={sentTo}
        onOtherAddress={() =>
          backToForm(() => formElement.current?.querySelector<HTMLElement>('input[type="email"]')?.focus())
        }
        onOtherTime={() => backToForm(() => submit.current?.focus())}
      />
    );
  }

  const { name, kind } = form.specialist.data ?? {};
  // The usual specialist may no longer take bookings.
  const choosing = !whom.providerId || (whom === usual && form.specialist.isError);
  return (
    <Dialog
      {...shown}
      size="lg"
      title={<Title name={name} />}
      description={kind && !choosing ? kindText(kind) : undefined}
      footer={
        <>
          {!choosing && <BookSummary form={form} />}
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {m.web_cancel()}
          </Button>
          {!choosing && (
            <Button ref={submit} type="submit" form={formId} busy={form.book.isPending}>
              {asGuest ? m.booking_guest_submit() : m.booking_confirm()}
            </Button>
          )}
        </>
      }
    >
      <LeaveGuard unsaved={unsent && form.contactTyped} />
      {choosing ? (
        <SpecialistChoice serviceId={whom.serviceId} onChoose={setWhom} />
      ) : (
        <form
          ref={formElement}
          id={formId}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            form.submit();
          }}
        >
          <BookFields
            form={form}
            parts={parts}
            onChosen={() => submit.current?.focus()}
            onChangeWhom={
              providerId ? undefined : () => setWhom({ providerId: undefined, serviceId: form.service?.id })
            }
          />
        </form>
      )}
    </Dialog>
  );
}

function useUnsentInAddress(unsent: boolean, start: BookingStart): void {
  const { key } = useLocation();
  useEffect(() => {
    // Back has left this entry.
    const shown = (window.history.state as { key?: string } | null)?.key ?? 'default';
    if (unsent && shown === key) writeAddress(start);
  });
  useEffect(() => (unsent ? () => writeAddress(null) : undefined), [unsent]);
}

function Title({ name }: { name: string | undefined }) {
  return (
    <>
      {m.home_book()}{' '}
      {name && (
        <span className="block font-sans text-base font-normal text-quiet">{m.web_with_name({ name })}</span>
      )}
    </>
  );
}

function BookSummary({ form }: { form: BookForm }) {
  const { times, draft, type, service, durationMinutes, zone } = form;
  const { start, providerZone } = times;
  const ready = start !== null && type !== null;
  const end = start && new Date(Date.parse(start) + durationMinutes * 60_000).toISOString();
  const elsewhere = start && providerZone ? elsewhereText(start, zone, providerZone) : null;
  const cents = service ? priceOf(service, durationMinutes) : null;
  const parts = ready
    ? [
        cents !== null && priceLine(cents, form.isSeries),
        whereText(type, times.place),
        minutesText(durationMinutes),
        form.isSeries &&
          m.booking_summary_series({ recurrence: recurrenceText(draft.recurrence), count: draft.sessions }),
      ].filter(Boolean)
    : [];
  return (
    <section
      aria-label={m.booking_summary()}
      aria-live="polite"
      className={ready ? 'basis-full leading-tight max-sm:-mb-1 max-sm:text-sm' : 'absolute'}
    >
      {ready && end && (
        <>
          <h3 className="font-sans text-sm font-semibold text-quiet max-sm:sr-only">{m.booking_summary()}</h3>
          <p className="font-semibold max-sm:inline">
            {service && <span className="max-sm:sr-only">{service.title}, </span>}
            <time dateTime={start}>
              {m.web_date_time({ date: shortDateText(start, zone), time: timeText(start, zone) })} –{' '}
              {timeText(end, zone)}
            </time>
          </p>
          <p className="text-quiet max-sm:inline sm:text-sm">
            {cents !== null && (
              <span aria-hidden className="sm:hidden">
                {' · '}
                {priceText(cents)}
                {form.isSeries && ` × ${draft.sessions}`}
              </span>
            )}
            <span className="max-sm:sr-only">{parts.join(' · ')}</span>
          </p>
          {elsewhere && <p className="text-sm text-quiet max-sm:sr-only">{elsewhere}</p>}
        </>
      )}
    </section>
  );
}

function whereText(type: SessionType, place: FreeTimesChoice['place']): string {
  const text = sessionTypeText(type);
  return type === 'in-person' && place
    ? `${text} ${m.booking_place({ name: place.name, town: place.town })}`
    : text;
}

function priceLine(cents: number, isSeries: boolean): string {
  const price = priceText(cents);
  return isSeries ? m.booking_price_each({ price }) : m.services_price_settled({ price });
}
