import { useId, useState } from 'react';
import { Link } from 'react-router';
import { zoneName } from '#/web/zones.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import type { ClashReason, Clashes } from '../preview/contract.ts';
import { dateIn, shortDateText, timeText } from '#/web/times.ts';

const shownFirst = 5;

const reasons: Readonly<Record<ClashReason, () => string>> = {
  rest: m.booking_clash_reason_rest,
  blocked: m.booking_clash_reason_blocked,
  date_off: m.booking_clash_reason_date_off,
  elsewhere: m.booking_clash_reason_elsewhere,
  outside_hours: m.booking_clash_reason_outside_hours,
};

/** Lists booked sessions outside the new hours. They stay booked. */
export function ClashList({
  clashes: { sessions, count },
  timeZone,
}: {
  clashes: Clashes;
  timeZone: string;
}) {
  const id = useId();
  const [all, setAll] = useState(false);
  const title = m.booking_clashes({ count });
  const list = (
    <section aria-labelledby={id} className="mt-5 rounded-control bg-clay-soft px-4 py-3">
      <h3 id={id} className="font-sans text-base font-semibold">
        {title}
      </h3>
      <p className="mt-0.5">{m.booking_clashes_text()}</p>
      <p className="mt-1 text-sm text-quiet">{m.booking_clashes_zone({ zone: zoneName(timeZone) })}</p>
      <ul className="mt-2 divide-y divide-line">
        {(all ? sessions : sessions.slice(0, shownFirst)).map(
          ({ appointmentId, startsAt, clientName, reason }) => (
            <li key={appointmentId} className="py-1.5">
              <p className="font-semibold tabular-nums">
                <time dateTime={startsAt}>
                  {shortDateText(startsAt, timeZone)}, {timeText(startsAt, timeZone)}
                </time>
              </p>
              <p className="wrap-anywhere">
                {m.booking_clash_with({ name: clientName })}, {reasons[reason]()}
              </p>
              <Link
                to={`/schedule?view=day&date=${dateIn(startsAt, timeZone)}`}
                className="inline-flex min-h-11 items-center font-semibold text-primary hover:text-primary-strong hover:underline"
              >
                {m.booking_clashes_open()}
                <VisuallyHidden> {m.booking_clashes_open_of({ name: clientName })}</VisuallyHidden>
              </Link>
            </li>
          ),
        )}
      </ul>
      {!all && sessions.length > shownFirst && (
        <Button variant="quiet" size="sm" className="-ml-3.5" onClick={() => setAll(true)}>
          {m.booking_clashes_all({ count: sessions.length })}
        </Button>
      )}
      {all && count > sessions.length && <p>{m.booking_clashes_more({ count: count - sessions.length })}</p>}
    </section>
  );
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && title}
      </p>
      {count > 0 && list}
    </>
  );
}
