/** The ISO form of an instant that the contracts promise, of a date or of epoch milliseconds. */
export function isoOf(at: Date | number): string {
  return Temporal.Instant.fromEpochMilliseconds(Number(at)).toString();
}
