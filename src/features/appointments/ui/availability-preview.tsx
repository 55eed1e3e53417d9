import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { formatDate } from '#/kernel/date-text.ts';
import { presentZone, timeZoneOffers, zoneName } from '#/web/zones.ts';
import type { AvailabilityDraft, AvailabilityView } from '#/features/availability/contract.ts';
import type { SessionType } from '#/features/providers/contract.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { ClashList } from './clash-list.tsx';
import { minutesText, sessionTypeText } from './session-texts.ts';
import { deviceZone } from '#/web/device-zone.ts';
import { byDate, dateIn, plainDateText, timeChoices } from '#/web/times.ts';

const day = 86_400_000;
/** Maximum UTC offset of any zone, in milliseconds. */
const reach = 15 * 3_600_000;
const weeks = 12;
/** Debounce in milliseconds. */
const pause = 400;

const narrow = 'pl-2.5! pr-9!';

const types: readonly SessionType[] = ['online', 'phone', 'in-person'];

const someZones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Africa/Nairobi',
  'Asia/Manila',
];

export function AvailabilityPreview(props: {
  draft: AvailabilityDraft;
  stored: AvailabilityView;
  /** Invalid form: keeps showing the last valid preview. */
  held: boolean;
  alive: boolean;
}) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="text-xl">
        {m.booking_preview()}
      </h2>
      <p className="mt-1 text-quiet">{m.booking_preview_text()}</p>
      {/* Only the browser knows the device's time zone. */}
      {props.alive ? <Preview {...props} /> : <Skeleton className="mt-5 h-96" />}
    </Card>
  );
}

function Preview({ draft, stored, held }: Parameters<typeof AvailabilityPreview>[0]) {
  const api = useApi();
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
    if (/^(booking|availability)\./.test(happened) || happened === 'connected') void query.refetch();
  });
  const times = useMemo(() => byDate(query.data?.starts ?? [], zone), [query.data, zone]);
  const open = dates.filter((date) => times.has(date));
  const shown = chosen !== null && dates.includes(chosen) ? chosen : (open[0] ?? dates[0]!);
  const span = { from: shortDate(dates[0]!), to: shortDate(dates[6]!) };
  const count = open.reduce((sum, date) => sum + times.get(date)!.length, 0);

  return (
    <>
      <div className="mt-4 grid grid-cols-1 gap-3 min-[22rem]:grid-cols-[8rem_minmax(0,1fr)]">
        <Field label={m.booking_preview_zone()} className="col-span-full">
          <ZoneSelect zone={zone} own={draft.timeZone} onChange={setZone} />
        </Field>
        <Field label={m.booking_preview_length()}>
          <Select
            className={narrow}
            value={length}
            onChange={({ target }) => setLength(Number(target.value))}
          >
            {lengths.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutesText(minutes)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={m.booking_preview_type()}>
          <Select
            className={narrow}
            value={type}
            onChange={({ target }) => setType(target.value as SessionType)}
          >
            {types.map((one) => (
              <option key={one} value={one}>
                {sessionTypeText(one)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {held && <Notice className="mt-4">{m.booking_preview_held()}</Notice>}
      <div className="mt-4 flex items-center justify-between gap-2">
        <Button
          variant="quiet"
          size="icon"
          aria-label={m.booking_preview_week_earlier()}
          disabled={week === 0}
          onClick={() => setWeek(week - 1)}
        >
          <ChevronLeft />
        </Button>
        <p className="text-center font-semibold tabular-nums">
          {span.from} – {span.to}
        </p>
        <Button
          variant="quiet"
          size="icon"
          aria-label={m.booking_preview_week_later()}
          disabled={week === weeks}
          onClick={() => setWeek(week + 1)}
        >
          <ChevronRight />
        </Button>
      </div>
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

function DayStrip({
  dates,
  times,
  shown,
  onChoose,
}: {
  dates: readonly string[];
  times: ReadonlyMap<string, readonly string[]>;
  shown: string;
  onChoose: (date: string) => void;
}) {
  return (
    <div role="group" aria-label={m.booking_preview_days()} className="mt-2 grid grid-cols-7 gap-1">
      {dates.map((date) => {
        const count = times.get(date)?.length ?? 0;
        const [weekday = '', number = ''] = stripText(date).split(' ');
        return (
          <button
            key={date}
            type="button"
            aria-pressed={date === shown}
            onClick={() => onChoose(date)}
            className={classes(
              'flex min-h-16 flex-col items-center justify-center rounded-control border border-transparent px-0.5 py-1 text-sm tabular-nums hover:bg-sunken',
              'aria-pressed:border-primary aria-pressed:bg-primary-soft',
            )}
          >
            <VisuallyHidden>{dayLabel(date, count)}</VisuallyHidden>
            <span aria-hidden className="grid justify-items-center">
              <span className="text-quiet">{weekday}</span>
              <span className="text-base font-semibold">{number}</span>
              <span className={count > 0 ? 'font-semibold text-sage' : 'text-quiet'}>{count || '–'}</span>
            </span>
          </button>
        );
      })}
    </div>
  );
}

function TimesOfDay({ date, starts, zone }: { date: string; starts: readonly string[]; zone: string }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-3">
      <h3 id={id} className="font-sans text-base font-semibold">
        {starts.length > 0
          ? m.booking_preview_times({ date: plainDateText(date) })
          : m.booking_preview_none_day({ date: plainDateText(date) })}
      </h3>
      <ul className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-1.5">
        {timeChoices(starts, zone).map(({ instant, label }) => (
          <li
            key={instant}
            className="rounded-control border border-line bg-sage-soft px-1 py-1.5 text-center font-medium text-sage tabular-nums"
          >
            <time dateTime={instant}>{label}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ZoneSelect({
  zone,
  own,
  onChange,
}: {
  zone: string;
  own: string;
  onChange: (zone: string) => void;
}) {
  const all = useMemo(() => timeZoneOffers(), []);
  const device = presentZone(deviceZone());
  const option = (value: string, words?: string) => (
    <option key={value} value={value}>
      {words ? `${words}: ${zoneName(value)}` : zoneName(value)}
    </option>
  );
  const few = someZones.filter((one) => one !== device && one !== own);
  const named = new Set([device, own, ...few]);
  return (
    <Select value={zone} onChange={({ target }) => onChange(target.value)}>
      {option(device, m.booking_preview_zone_device())}
      {own !== device && option(own, m.booking_preview_zone_own())}
      <optgroup label={m.booking_preview_zones_some()}>{few.map((one) => option(one))}</optgroup>
      <optgroup label={m.booking_preview_zones_all()}>
        {all.filter(({ value }) => !named.has(value)).map(({ value }) => option(value))}
      </optgroup>
    </Select>
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

function dayLabel(date: string, count: number): string {
  const words = { date: plainDateText(date) };
  if (count === 0) return m.booking_preview_day_none(words);
  return count === 1 ? m.booking_preview_day_one(words) : m.booking_preview_day({ ...words, count });
}

function stripText(date: string): string {
  return `${formatDate(date, { weekday: 'short' })} ${Number(date.slice(8))}`;
}

function shortDate(date: string): string {
  return formatDate(date, { month: 'short', day: 'numeric' });
}
