type DateOptions = Omit<Intl.DateTimeFormatOptions, 'timeZone'>;

/** Bounded, because time zone names ignore case and so have many spellings. */
const formatsKept = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns a cached formatter, since making one is slow. Throws `RangeError` for a zone the runtime doesn't know. */
export function dateFormat(timeZone: string, options: DateOptions, locale = 'en-US'): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    if (formats.size >= formatsKept) formats.clear();
    formats.set(key, format);
  }
  return format;
}

/** Returns the time zone of the browser. */
export function deviceZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Formats an instant (ISO or epoch milliseconds) in a zone's local time. */
export function formatInstant(
  instant: string | number,
  timeZone: string,
  options: DateOptions,
  locale?: string,
): string {
  return dateFormat(timeZone, options, locale).format(new Date(instant));
}

/** Formats a plain date (`2026-03-08`) without time zone conversion. */
export function formatDate(date: string, options: DateOptions, locale?: string): string {
  return formatInstant(`${date}T00:00Z`, 'UTC', options, locale);
}

/** Matches IANA names, but not offsets such as `+05:30` or ISO strings. */
export const zoneNamePattern = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

/** Without Temporal, which some browsers lack. */
export function isFormatZone(name: string): boolean {
  if (!zoneNamePattern.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
