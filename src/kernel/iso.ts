/** Formats a date or epoch milliseconds as the contracts' ISO instant. */
export function isoOf(at: Date | number): string {
  return Temporal.Instant.fromEpochMilliseconds(Number(at)).toString();
}

/** For the audit log: `2026-03-02 12:00 UTC`. */
export function minuteText(at: Date | number): string {
  return `${isoOf(at).slice(0, 16).replace('T', ' ')} UTC`;
}
