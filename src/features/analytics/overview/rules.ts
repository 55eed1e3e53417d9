/** Epoch milliseconds in a time zone. */
export interface MonthSoFar {
  lastMonth: number;
  /** The same day and time last month, or its end if shorter. */
  lastMonthSoFar: number;
  thisMonth: number;
}

export function monthSoFar(timeZone: string, now: Temporal.Instant): MonthSoFar {
  const local = now.toZonedDateTimeISO(timeZone);
  const first = local.toPlainDate().with({ day: 1 });
  const thisMonth = first.toZonedDateTime(timeZone).epochMilliseconds;
  const lastMonth = first.subtract({ months: 1 });
  // A missing day would clamp to month's end.
  const sameDay = local.day <= lastMonth.daysInMonth;
  return {
    lastMonth: lastMonth.toZonedDateTime(timeZone).epochMilliseconds,
    lastMonthSoFar: sameDay ? local.subtract({ months: 1 }).epochMilliseconds : thisMonth,
    thisMonth,
  };
}

export interface Compared {
  now: number;
  before: number;
}

/** Percent to one decimal; `new` from zero. */
export function changeOf({ now, before }: Compared): number | 'new' {
  if (now === before) return 0;
  if (before === 0) return 'new';
  return Math.round(((now - before) / before) * 1_000) / 10;
}
