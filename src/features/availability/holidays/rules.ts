const dayMilliseconds = 24 * 3_600_000;

export function holidayName(name: string): string {
  return name.replace(/ \(substitute day\)$/i, '');
}

/** `begin` starts with `YYYY-MM-DD`; `length` in milliseconds. */
export function coveredDates(begin: string, length: number): string[] {
  const first = Temporal.PlainDate.from(begin.slice(0, 10));
  const days = Math.max(1, Math.round(length / dayMilliseconds));
  return Array.from({ length: days }, (_, index) => first.add({ days: index }).toString());
}
