import type { AvailabilityDraft, AvailabilityView } from '../contract.ts';
import type { RestKind } from '../rest/contract.ts';
import type { WallWindow } from '../rules.ts';

/** Possibly incomplete input; `key` is its React key. */
export interface TypedWindow {
  key: string;
  from: string;
  to: string;
  placeId: string | null;
}

/** Days off keep their windows, to restore them. */
export interface TypedDay {
  /** ISO 8601: Monday is 1, Sunday is 7. */
  weekday: number;
  off: boolean;
  windows: readonly TypedWindow[];
}

export interface TypedPlace {
  by: 'city' | 'coordinates';
  name: string;
  latitude: string;
  longitude: string;
  timeZone: string | null;
}

export interface TypedWeek {
  timeZone: string;
  days: readonly TypedDay[];
  /** Null means every length the site offers. */
  lengths: readonly number[] | null;
  buffer: string;
  notice: string;
  daily: string;
  restKind: RestKind;
  place: TypedPlace;
}

const firstHours = { from: '09:00', to: '17:00' };

let keys = 0;

export function typedWindow({ from, to, placeId }: WallWindow): TypedWindow {
  keys += 1;
  return { key: `new-${keys}`, from, to, placeId: placeId ?? null };
}

export function typedFrom(view: AvailabilityView): TypedWeek {
  const { terms, rest, site } = view;
  const { place } = rest;
  return {
    timeZone: view.timeZone,
    days: [1, 2, 3, 4, 5, 6, 7].map((weekday) => {
      const windows = view.weekly
        .filter((window) => window.weekday === weekday)
        .map(({ from, to, placeId }, index) => ({ key: `${weekday}-${index}`, from, to, placeId }));
      return { weekday, off: windows.length === 0, windows };
    }),
    // A service's length can change afterwards.
    lengths: terms.sessionLengths?.filter((length) => site.sessionLengths.includes(length)) ?? null,
    buffer: terms.bufferMinutes?.toString() ?? '',
    notice: terms.noticeHours?.toString() ?? '',
    daily: terms.dailyMaximum?.toString() ?? '',
    restKind: rest.kind,
    place: place
      ? {
          by: place.name === coordinatesText(place.latitude, place.longitude) ? 'coordinates' : 'city',
          name: place.name,
          latitude: String(place.latitude),
          longitude: String(place.longitude),
          timeZone: place.timeZone,
        }
      : { by: 'city', name: '', latitude: '', longitude: '', timeZone: null },
  };
}

/** Builds the request, and the key of each weekly window by index. Unreadable numbers become NaN. */
export function draftOf(week: TypedWeek): { draft: AvailabilityDraft; keys: string[] } {
  const open = week.days.filter(({ off }) => !off);
  return {
    keys: open.flatMap(({ windows }) => windows.map(({ key }) => key)),
    draft: {
      timeZone: week.timeZone,
      weekly: open.flatMap(({ weekday, windows }) =>
        windows.map(({ from, to, placeId }) => ({ weekday, from, to, placeId })),
      ),
      terms: {
        sessionLengths: week.lengths === null ? null : [...week.lengths],
        bufferMinutes: wholeNumber(week.buffer),
        noticeHours: wholeNumber(week.notice),
        dailyMaximum: wholeNumber(week.daily),
      },
      rest: { kind: week.restKind, place: placeOf(week) },
    },
  };
}

export function isSame(one: TypedWeek, other: TypedWeek): boolean {
  const text = (week: TypedWeek) =>
    JSON.stringify([draftOf(week).draft, week.buffer, week.notice, week.daily, week.place]);
  return text(one) === text(other);
}

function placeOf({ restKind, place: { by, name, latitude, longitude, timeZone } }: TypedWeek) {
  if (latitude.trim() === '' && longitude.trim() === '') return null;
  const [north, east] = [degrees(latitude), degrees(longitude)];
  // An incomplete place doesn't block saving unless the Sabbath needs it.
  if (restKind !== 'sabbath' && !(Math.abs(north) <= 90 && Math.abs(east) <= 180)) return null;
  return {
    name: by === 'coordinates' ? coordinatesText(north, east) : name,
    latitude: north,
    longitude: east,
    timeZone,
  };
}

/** For example `42.36° N, 71.06° W`. */
function coordinatesText(latitude: number, longitude: number): string {
  const part = (value: number, [plus, minus]: readonly [string, string]) =>
    `${Math.abs(value)}° ${value < 0 ? minus : plus}`;
  return `${part(latitude, ['N', 'S'])}, ${part(longitude, ['E', 'W'])}`;
}

function degrees(text: string): number {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  return /^[+-]?\d{1,3}(\.\d{1,10})?$/.test(plain) ? Number(plain) : NaN;
}

function wholeNumber(text: string): number | null {
  const plain = text.trim();
  if (plain === '') return null;
  return /^\d{1,4}$/.test(plain) ? Number(plain) : NaN;
}

export function withDay(week: TypedWeek, weekday: number, change: (day: TypedDay) => TypedDay): TypedWeek {
  return { ...week, days: week.days.map((day) => (day.weekday === weekday ? change(day) : day)) };
}

export function toggleDay(day: TypedDay): TypedDay {
  if (!day.off) return { ...day, off: true };
  return { ...day, off: false, windows: day.windows.length > 0 ? day.windows : withWindow([]) };
}

/** Adds a window after a one-hour break. */
export function withWindow(windows: readonly TypedWindow[]): TypedWindow[] {
  const last = windows.at(-1);
  if (!last) return [typedWindow(firstHours)];
  const hour = Number(last.to.slice(0, 2)) + 1;
  const next = last.to !== '' && hour < 23 ? { from: clock(hour), to: clock(Math.min(hour + 2, 24)) } : null;
  return [...windows, typedWindow({ ...(next ?? { from: '', to: '' }), placeId: last.placeId })];
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

export function withoutWindow(windows: readonly TypedWindow[], key: string): TypedWindow[] {
  return windows.filter((window) => window.key !== key);
}

export function withChange(
  windows: readonly TypedWindow[],
  key: string,
  change: Partial<WallWindow>,
): TypedWindow[] {
  return windows.map((window) => (window.key === key ? { ...window, ...change } : window));
}

export function copyDay(week: TypedWeek, from: number, to: readonly number[]): TypedWeek {
  const source = week.days.find(({ weekday }) => weekday === from)!;
  return {
    ...week,
    days: week.days.map((day) =>
      day.weekday === from || !to.includes(day.weekday)
        ? day
        : { ...day, off: source.off, windows: source.windows.map(typedWindow) },
    ),
  };
}
