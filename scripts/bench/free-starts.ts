import { defaultWeek, freeStarts, stepMinutes, type FreeStartsQuery } from '#/features/availability/rules.ts';
import { noTerms } from '#/features/availability/terms/rules.ts';
import { overlaps } from '#/kernel/interval.ts';
import { minute } from '#/kernel/zone-clock.ts';

const timeZone = 'America/New_York';
const busyTimes = 200;
const aimMicroseconds = 50;

/** March 2026 in New York, including the DST change on March 8, with 200 busy times. */
function monthOfQuery(): FreeStartsQuery {
  const first = Temporal.ZonedDateTime.from({ year: 2026, month: 3, day: 1, timeZone });
  const start = first.epochMilliseconds;
  const end = first.add({ months: 1 }).epochMilliseconds;
  const bufferMinutes = 15;
  const appointments = Array.from({ length: busyTimes }, (_, index) => {
    const spread = start + ((end - start) / busyTimes) * index;
    return Math.floor(spread / (stepMinutes * minute)) * stepMinutes * minute;
  });
  return {
    schedule: {
      timeZone,
      weekly: defaultWeek,
      exceptions: [{ date: '2026-03-17', windows: [] }],
      rest: { kind: 'none', place: null },
      terms: noTerms,
      placed: false,
    },
    busy: appointments.map((at) => ({ start: at, end: at + (stepMinutes + bufferMinutes) * minute })),
    appointments,
    within: { start, end },
    durationMinutes: stepMinutes,
    bufferMinutes,
    earliest: start + 24 * 60 * minute,
    dailyMaximum: 20,
    inPerson: false,
  };
}

/** Naive baseline: iterates days and times with Temporal. */
function dayByDay(query: FreeStartsQuery): number[] {
  const { schedule, within, durationMinutes, bufferMinutes, earliest } = query;
  const zoned = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(schedule.timeZone);
  const booked = query.appointments.map((start) => zoned(start).toPlainDate().toString());
  const starts: number[] = [];
  for (let date = zoned(within.start).toPlainDate(); ; date = date.add({ days: 1 })) {
    if (date.toZonedDateTime(schedule.timeZone).epochMilliseconds >= within.end) return starts;
    if (booked.filter((other) => other === date.toString()).length >= query.dailyMaximum) continue;
    const exception = schedule.exceptions.find((other) => other.date === date.toString());
    const windows = exception?.windows ?? schedule.weekly.filter(({ weekday }) => weekday === date.dayOfWeek);
    for (const window of windows) {
      const closes = date.toZonedDateTime({
        timeZone: schedule.timeZone,
        plainTime: window.to,
      }).epochMilliseconds;
      let time = date.toPlainDateTime(window.from);
      for (;;) {
        const start = time.toZonedDateTime(schedule.timeZone).epochMilliseconds;
        if (start + durationMinutes * minute > closes) break;
        const blocked = { start, end: start + (durationMinutes + bufferMinutes) * minute };
        const wanted = start >= within.start && start < within.end && start >= earliest;
        if (wanted && !query.busy.some((busy) => overlaps(busy, blocked))) starts.push(start);
        time = time.add({ minutes: stepMinutes });
      }
    }
  }
}

function microseconds(call: () => unknown, batch: number): number {
  const batches = Array.from({ length: 25 }, () => {
    const began = performance.now();
    for (let index = 0; index < batch; index += 1) call();
    return ((performance.now() - began) * 1000) / batch;
  });
  return batches.slice(5).toSorted((a, b) => a - b)[10]!;
}

/** Compares one month of free times, with 200 busy times, to a day-by-day implementation. */
export async function benchFreeStarts(): Promise<
  { name: string; value: string; aim: string; met: boolean }[]
> {
  const query = monthOfQuery();
  const starts = freeStarts(query);
  if (JSON.stringify(starts) !== JSON.stringify(dayByDay(query)))
    throw new Error('The two implementations disagree.');
  const ours = microseconds(() => freeStarts(query), 400);
  const theirs = microseconds(() => dayByDay(query), 4);
  return [
    {
      name: `a month of free starts (${starts.length} of them, ${busyTimes} busy times)`,
      value: `${ours.toFixed(1)} µs`,
      aim: `under ${aimMicroseconds} µs`,
      met: ours < aimMicroseconds,
    },
    {
      name: 'the same, against day by day with Temporal',
      value: `${Math.round(theirs / ours)} times as fast (${theirs.toFixed(0)} µs)`,
      aim: 'faster',
      met: ours < theirs,
    },
  ];
}
