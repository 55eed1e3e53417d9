import { priceOf } from '#/features/catalogue/prices/rules.ts';
import { priceText } from '#/features/catalogue/rules.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import type { BookForm } from './book-form.ts';
import type { FreeTimesChoice } from './free-times-choice.ts';
import { minutesText, recurrenceText, sessionTypeText } from './session-texts.ts';
import { clocksDiffer, shortDateText, timeText, zoneText } from '#/web/times.ts';

export function BookSummary({ form }: { form: BookForm }) {
  const { times, draft, type, service, durationMinutes, zone } = form;
  const { start, providerZone } = times;
  const ready = start !== null && type !== null;
  const end = start && new Date(Date.parse(start) + durationMinutes * 60_000).toISOString();
  const parts = ready
    ? [
        whereText(type, times.place),
        minutesText(durationMinutes),
        form.isSeries &&
          m.booking_summary_series({ recurrence: recurrenceText(draft.recurrence), count: draft.sessions }),
        service && priceLine(priceOf(service, durationMinutes), form.isSeries),
      ].filter(Boolean)
    : [];
  return (
    <section
      aria-label={m.booking_summary()}
      aria-live="polite"
      className={ready ? 'basis-full leading-tight max-sm:text-sm' : 'absolute'}
    >
      {ready && end && (
        <>
          <h3 className="font-sans text-sm font-semibold text-quiet max-sm:sr-only">{m.booking_summary()}</h3>
          <p className="font-semibold">
            {service && <span className="max-sm:sr-only">{service.title}, </span>}
            <time dateTime={start}>
              {m.booking_date_time({ date: shortDateText(start, zone), time: timeText(start, zone) })} –{' '}
              {timeText(end, zone)}
            </time>
          </p>
          <p className="text-sm text-quiet">{parts.join(' · ')}</p>
          {providerZone && clocksDiffer(start, zone, providerZone) && (
            <p className="text-sm text-quiet">
              {m.booking_summary_theirs({
                zone: zoneText(providerZone),
                time: timeText(start, providerZone),
                date: shortDateText(start, providerZone),
              })}
            </p>
          )}
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
  return isSeries ? m.booking_price_each({ price }) : m.booking_price({ price });
}
