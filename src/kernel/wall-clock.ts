const labelPattern = /^(0[1-9]|1[0-2]):([0-5]\d) (AM|PM)$/;

/** The spec's time label, such as `09:00 AM`, of a wall-clock hour (0–23) and minute. */
export function timeLabel(hour: number, minute: number): string {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  return `${String(twelve).padStart(2, '0')}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The wall-clock time `HH:MM` of a label; 12 AM is 00, 12 PM stays 12 (client spec, section 5). Null if it isn't one. */
export function timeOfLabel(label: string): string | null {
  const parts = labelPattern.exec(label);
  if (!parts) return null;
  const hour = (Number(parts[1]) % 12) + (parts[3] === 'PM' ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${parts[2]}`;
}
