import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { deviceZone, formatDate } from '#/kernel/date-text.ts';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import type { AvailabilityDraft, AvailabilityView } from '#/features/availability/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { Combobox } from '#/web/components/combobox.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import { FoldingCard } from '#/web/components/folding-card.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { byDate, dateIn, shortDateText, timeText } from '#/web/times.ts';
import { Button } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { DayStrip, TimesOfDay, WeekTurner } from './preview-week.tsx';
import { minutesText, sessionTypeText } from './session-texts.ts';
import type { ClashReason, Clashes } from '../preview/contract.ts';

const day = 86_400_000;
/** Maximum UTC offset of any zone, in milliseconds. */
const reach = 15 * 3_600_000;
/** Debounce in milliseconds. */
const pause = 400;

const narrow = 'pl-2.5! pr-9!';

const types: readonly SessionType[] = ['online', 'phone', 'in-person'];

export function AvailabilityPreview(props: {
  draft: AvailabilityDraft;
  stored: AvailabilityView;
  /** Invalid form: keeps showing the last valid preview. */
  held: boolean;
  alive: boolean;
}) {
  return (
    <FoldingCard title={m.booking_preview()} summary={m.booking_preview_text()} className="min-w-0">
      <p className="mt-1 text-quiet max-sm:hidden">{m.booking_preview_text()}</p>
      {/* Only the browser knows the device's time zone. */}
      {props.alive ? <Preview {...props} /> : <Skeleton className="mt-5 h-96" />}
    </FoldingCard>
  );
}

function Preview({ draft, stored, held }: Parameters<typeof AvailabilityPreview>[0]) {
  const [now] = useState(() => Date.now());
  const [zone, setZone] = useState(() => presentZone(deviceZone()));
  const lengths = draft.terms.sessionLengths ?? stored.site.sessionLengths;
  const [wantedLength, setLength] = useState(60);
  const length = lengths.includes(wantedLength) ? wantedLength : (lengths[0] ?? wantedLength);
  const [type, setType] = useState<SessionType>('online');
  const [week, setWeek] = useState(0);
  const [chosen, setChosen] = useState<string | null>(null);

  const first = Date.parse(`${dateIn(now, zone)}T00:00Z`) + week * 7 * day;
  const dates = Array.from({ length: 7 }, (_, index) =>
    new Date(first + index * day).toISOString().slice(0, 10),
  );
  const input = useSettled({
    ...draft,
    dates: stored.dates.map(({ date, windows }) => ({ date, windows })),
    from: new Date(first - reach).toISOString(),
    to: new Date(first + 7 * day + reach).toISOString(),
    durationMinutes: length,
    sessionType: type,
  });
  const query = useQuery({
    ...api.appointments.previewAvailability.queryOptions({ input }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  useRealtime(({ type: happened }) => {
    if (/^(booking|availability)\./.test(happened) || happened === 'missed') void query.refetch();
  });
  const times = useMemo(() => byDate(query.data?.starts ?? [], zone), [query.data, zone]);
  const open = dates.filter((date) => times.has(date));
  const shown = chosen !== null && dates.includes(chosen) ? chosen : (open[0] ?? dates[0]!);
  const span = { from: shortDate(dates[0]!), to: shortDate(dates[6]!) };
  const count = open.reduce((sum, date) => sum + times.get(date)!.length, 0);

  return (
    <>
      <div className="mt-4 grid grid-cols-1 gap-3 min-[22rem]:grid-cols-[8rem_minmax(0,1fr)] sm:grid-cols-2 xl:grid-cols-1">
        <Field label={m.booking_preview_zone()} className="col-span-full">
          <ZoneChoice zone={zone} own={draft.timeZone} onChange={setZone} />
        </Field>
        <Field label={m.booking_preview_length()}>
          <Select
            className={narrow}
            value={length}
            onChange={({ target }) => setLength(Number(target.value))}
          >
            <Options of={lengths} text={minutesText} />
          </Select>
        </Field>
        <Field label={m.booking_session_type()}>
          <Select
            className={narrow}
            value={type}
            onChange={({ target }) => setType(target.value as SessionType)}
          >
            <Options of={types} text={sessionTypeText} />
          </Select>
        </Field>
      </div>
      {held && <Notice className="mt-4">{m.booking_preview_held()}</Notice>}
      <WeekTurner span={span} week={week} onTurn={setWeek} />
      <Fetched
        query={query}
        label={m.booking_preview_loading()}
        failure={m.booking_preview_failed()}
        skeleton={
          <div className="grid gap-3">
            <Skeleton className="h-14" />
            <Skeleton className="h-32" />
          </div>
        }
      >
        {(found) => (
          <>
            <div aria-busy={query.isPlaceholderData}>
              <DayStrip dates={dates} times={times} shown={shown} onChoose={setChosen} />
              <p role="status" className="sr-only">
                {!query.isPlaceholderData && count > 0 && m.booking_preview_news({ count, ...span })}
              </p>
              {open.length === 0 ? (
                <div role="status" className="mt-3 rounded-control bg-sunken px-4 py-3">
                  <p className="font-semibold">{m.booking_preview_none()}</p>
                  <p className="text-quiet">{m.booking_preview_none_text({ minutes: length, ...span })}</p>
                </div>
              ) : (
                <TimesOfDay date={shown} starts={times.get(shown) ?? []} zone={zone} />
              )}
            </div>
            <ClashList clashes={found.clashes} timeZone={found.timeZone} />
          </>
        )}
      </Fetched>
    </>
  );
}

/** Debounces a value; the first one is immediate. */
function useSettled<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return useMemo(() => JSON.parse(settled) as Value, [settled]);
}

function shortDate(date: string): string {
  return formatDate(date, { month: 'short', day: 'numeric' });
}

const someZones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Africa/Nairobi',
  'Asia/Manila',
];

/** Offers the device's zone, the provider's own, some common ones and all others. */
function ZoneChoice({
  zone,
  own,
  onChange,
}: {
  zone: string;
  own: string;
  onChange: (zone: string) => void;
}) {
  const offers = useMemo(() => {
    const named = (value: string, words: string) => ({ value, label: `${words}: ${zoneName(value)}` });
    const first = [
      named(presentZone(deviceZone()), m.booking_preview_zone_device()),
      named(own, m.booking_preview_zone_own()),
      ...someZones.map((value) => ({ value, label: zoneName(value) })),
    ].filter(({ value }, index, all) => all.findIndex((one) => one.value === value) === index);
    const taken = new Set(first.map(({ value }) => value));
    return [...first, ...timeZoneOffers().filter(({ value }) => !taken.has(value))];
  }, [own]);
  return <Combobox autoComplete="off" value={zone} offers={offers} onChange={onChange} />;
}

const shownFirst = 5;

const reasons: Readonly<Record<ClashReason, () => string>> = {
  rest: m.booking_clash_reason_rest,
  blocked: m.booking_clash_reason_blocked,
  date_off: m.booking_clash_reason_date_off,
  elsewhere: m.booking_clash_reason_elsewhere,
  outside_hours: m.booking_clash_reason_outside_hours,
};

/** Sessions outside the new hours stay booked. */
function ClashList({ clashes: { sessions, count }, timeZone }: { clashes: Clashes; timeZone: string }) {
  const id = useId();
  const news = useRef<HTMLParagraphElement>(null);
  const [all, setAll] = useState(false);
  const title = m.booking_clashes({ count });
  useEffect(() => {
    if (count > 0) news.current?.closest('details')?.setAttribute('open', '');
  }, [count]);
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
                {m.web_with_name({ name: clientName })}, {reasons[reason]()}
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
      <p ref={news} role="status" className="sr-only">
        {count > 0 && title}
      </p>
      {count > 0 && list}
    </>
  );
}
