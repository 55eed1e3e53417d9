/** The ISO form of an instant that the contracts promise, of a date or of epoch milliseconds. */
export function isoOf(at: Date | number): string {
  return Temporal.Instant.fromEpochMilliseconds(Number(at)).toString();
}

/** Such as `2026-03-02 12:00 UTC`: an instant to the minute, as the audit log tells it. */
export function minuteText(at: Date | number): string {
  return `${isoOf(at).slice(0, 16).replace('T', ' ')} UTC`;
}
