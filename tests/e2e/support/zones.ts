/** Returns a time zone where it's currently 8 or 9 AM. */
export function morningZone(): string {
  const apart = 8 - Temporal.Now.zonedDateTimeISO('UTC').hour;
  // No time zone is more than twelve hours behind UTC.
  const ahead = apart < -12 ? apart + 24 : apart;
  // Etc/GMT names invert the sign: plus means west.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
