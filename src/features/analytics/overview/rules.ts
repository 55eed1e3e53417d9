/** The bounds (epoch milliseconds) of this month so far and of the same stretch of last month, by a zone. */
export interface MonthSoFar {
  lastMonth: number;
  /** As far into last month as it is now in this one; its end where it is shorter. */
  lastMonthSoFar: number;
  thisMonth: number;
}

/** Where this month begins in a zone, where the last one does, and how far that had come by the same day and time. */
export function monthSoFar(timeZone: string, now: Temporal.Instant): MonthSoFar {
  const local = now.toZonedDateTimeISO(timeZone);
  const first = local.toPlainDate().with({ day: 1 });
  const thisMonth = first.toZonedDateTime(timeZone).epochMilliseconds;
  const lastMonth = first.subtract({ months: 1 });
  // A day that last month doesn't have would become its last one.
  const sameDay = local.day <= lastMonth.daysInMonth;
  return {
    lastMonth: lastMonth.toZonedDateTime(timeZone).epochMilliseconds,
    lastMonthSoFar: sameDay ? local.subtract({ months: 1 }).epochMilliseconds : thisMonth,
    thisMonth,
  };
}
