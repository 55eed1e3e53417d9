/** A zone in which it is eight in the morning now, or soon after. */
export function morningZone(): string {
  const apart = 8 - Temporal.Now.zonedDateTimeISO('UTC').hour;
  // Nowhere is more than twelve hours behind.
  const ahead = apart < -12 ? apart + 24 : apart;
  // In these names a plus means west.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
