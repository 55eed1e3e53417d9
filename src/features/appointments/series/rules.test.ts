import { expect, test } from 'vitest';
import { dateFormat } from '#/kernel/date-text.ts';
import type { Schedule } from '#/features/availability/rules.ts';
import { noTerms } from '#/features/availability/terms/rules.ts';
import type { BusyTime } from '../diary/rules.ts';
import { decideSeriesMove, refuseInSeries, refusalFor, withinScope } from './rules.ts';

type MovingSession = Parameters<typeof decideSeriesMove>[0]['sessions'][number];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = (instant: string) => Date.parse(instant);

function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Local time as a UTC timestamp, from Intl rather than the Temporal code under test. */
function shown(instant: number, timeZone: string): number {
  const format = dateFormat(timeZone, {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const of = (type: string) => parts.get(type as Intl.DateTimeFormatPartTypes)!;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
}

test('moves starts by the same local time across DST changes', () => {
  const random = chance(20_260_308);
  const counts = { moved: 0, skipped: 0, changed: 0 };
  for (const [timeZone, change] of [
    ['America/New_York', '2026-03-08T07:00Z'],
    ['America/New_York', '2026-11-01T06:00Z'],
    ['Europe/Berlin', '2026-03-29T01:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00Z'],
    ['Africa/Casablanca', '2026-02-15T02:00Z'],
    ['Asia/Kathmandu', '2026-03-08T07:00Z'],
  ] as const) {
    for (let round = 0; round < 60; round++) {
      // Every third round lands near a DST change.
      const near = round % 3 === 0;
      const from = at(change) - (3 + random(20)) * day + random(48) * 30 * minute;
      const shift = (random(2) ? 1 : -1) * random(14 * 48) * 30 * minute;
      const to = from + shift;
      const goal = at(change) + (random(16) - 8) * 30 * minute;
      const start = near ? goal - shift : from + (1 + random(5)) * 7 * day;
      const wanted = shown(start, timeZone) + shown(to, timeZone) - shown(from, timeZone);
      let expected: number | null = null;
      for (
        let probe = wanted - 26 * hour;
        probe <= wanted + 26 * hour && expected === null;
        probe += 15 * minute
      )
        if (shown(probe, timeZone) === wanted) expected = probe;
      const found = decideSeriesMove({
        sessions: [from, start].map((time, index) => ({
          id: ['named', 'other'][index]!,
          start: time,
          end: time + hour,
          blockedUntil: time + hour,
          guests: [],
        })),
        anchorId: 'named',
        start: to,
        diary: { schedule: { ...everyDay, timeZone }, busy: [], appointments: [] },
        own: [],
        settings,
        inPerson: false,
        withoutNotice: true,
        now: Math.min(from, to, start) - 2 * day,
      }).at(-1)!;
      const label = `${timeZone} ${new Date(wanted).toISOString()}`;
      expect([found.refusal === 'skipped_time' ? null : found.start, label]).toEqual([expected, label]);
      counts[expected === null ? 'skipped' : expected - start === shift ? 'moved' : 'changed']++;
    }
  }
  expect(counts.moved).toBeGreaterThan(100);
  expect(counts.changed).toBeGreaterThan(30);
  expect(counts.skipped).toBeGreaterThan(3);
});

const monday = at('2026-02-23T00:00Z');
const everyDay: Schedule = {
  timeZone: 'UTC',
  weekly: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, from: '09:00', to: '19:00' })),
  exceptions: [],
  rest: { kind: 'none', place: null },
  terms: noTerms,
  placed: false,
};
const settings = { bufferMinutes: 30, advanceNoticeHours: 0, dailyMaximum: 100 };

const session = (id: string, days: number, hours: number): MovingSession => {
  const start = monday + days * day + hours * hour;
  return { id, start, end: start + hour, blockedUntil: start + 1.5 * hour, guests: [] };
};

function decide(
  sessions: readonly MovingSession[],
  start: number,
  { busy = [], own = [] }: { busy?: BusyTime[]; own?: { start: number; end: number }[] } = {},
) {
  return decideSeriesMove({
    sessions,
    anchorId: sessions[0]!.id,
    start,
    diary: { schedule: everyDay, busy, appointments: [] },
    own,
    settings,
    inPerson: false,
    withoutNotice: true,
    now: monday - 30 * day,
  });
}

test('never overlaps sessions with each other, unchanged ones or the provider’s busy times', () => {
  const random = chance(20_260_223);
  const counts = { whole: 0, part: 0, anchor: 0 };
  for (let round = 0; round < 400; round++) {
    const every = 1 + random(7);
    const sessions = Array.from({ length: 2 + random(5) }, (_, index) => ({
      ...session(`s${index}`, index * every, 10 + random(3) + random(2) / 2),
      guests: random(5)
        ? []
        : [{ start: monday + random(40) * 12 * hour, end: monday + random(40) * 12 * hour + 12 * hour }],
    }));
    const busy = Array.from({ length: random(6) }, () => {
      const start = monday + random(40) * day + (9 + random(9)) * hour;
      return { start, end: start + 1.5 * hour, sessionEnd: start + hour };
    });
    const own = Array.from({ length: random(3) }, () => {
      const start = monday + random(40) * day + (9 + random(9)) * hour;
      return { start, end: start + hour };
    });
    const start = sessions[0]!.start + (random(15) - 4) * day + (random(7) - 3) * 30 * minute;
    const decided = decide(sessions, start, { busy, own });
    const moved = decided.filter(({ refusal }) => refusal === null);
    const stay = sessions.filter(({ id }) => !moved.some((one) => one.id === id));
    if (decided[0]!.refusal !== null) {
      counts.anchor++;
      continue;
    }
    counts[stay.length > 0 ? 'part' : 'whole']++;
    // Counts overlapping sessions, buffers included, in half-hour steps.
    const holders = new Map<number, number>();
    const hold = (from: number, to: number) => {
      for (let step = from; step < to; step += 30 * minute) holders.set(step, (holders.get(step) ?? 0) + 1);
    };
    for (const one of [...moved, ...stay]) hold(one.start, one.start + 1.5 * hour);
    const fixed = new Set<number>();
    for (const one of busy) for (let step = one.start; step < one.end; step += 30 * minute) fixed.add(step);
    for (const one of moved) {
      for (let step = one.start; step < one.start + 1.5 * hour; step += 30 * minute) {
        expect(holders.get(step)).toBe(1);
        expect(fixed.has(step)).toBe(false);
      }
      const elsewhere = [...own, ...sessions.find(({ id }) => id === one.id)!.guests];
      expect(elsewhere.some((other) => other.start < one.end && one.start < other.end)).toBe(false);
      const clock = (one.start - monday + 40 * day) % day;
      expect(clock >= 9 * hour && clock <= 18 * hour).toBe(true);
      expect(one.start - one.from).toBe(start - sessions[0]!.start);
    }
  }
  expect(counts.whole).toBeGreaterThan(50);
  expect(counts.part).toBeGreaterThan(30);
  expect(counts.anchor).toBeGreaterThan(30);
});

test('lets each session take the next one’s time, unless the last can’t move', () => {
  const weekly = [session('a', 0, 10), session('b', 7, 10), session('c', 14, 10)];
  expect(decide(weekly, monday + 7 * day + 10 * hour).map(({ refusal }) => refusal)).toEqual([
    null,
    null,
    null,
  ]);
  const start = monday + 21 * day + 10 * hour;
  const taken = { start, end: start + hour, sessionEnd: start + hour };
  expect(
    decide(weekly, monday + 7 * day + 10 * hour, { busy: [taken] }).map(({ refusal }) => refusal),
  ).toEqual(['slot_taken', 'slot_taken', 'slot_taken']);
});

test('names sessions that can’t move and moves the others', () => {
  const weekly = [session('a', 0, 10), session('b', 7, 10), session('c', 14, 10)];
  const start = monday + 8 * day + 14 * hour;
  const decided = decide(weekly, monday + day + 14 * hour, { own: [{ start, end: start + hour }] });
  expect(decided.map(({ id, refusal }) => [id, refusal])).toEqual([
    ['a', null],
    ['b', 'own_clash'],
    ['c', null],
  ]);
  expect(refusalFor('provider', 'own_clash')).toBe('slot_taken');
  expect(refusalFor('client', 'own_clash')).toBe('own_clash');
});

test('covers this session and later ones, or all of them', () => {
  const starts = [3, 1, 2];
  expect(withinScope(starts, (one) => one, { from: 2, scope: 'following' })).toEqual([3, 2]);
  expect(withinScope(starts, (one) => one, { from: 2, scope: 'all' })).toEqual(starts);
});

test('leaves past sessions unchanged and lets providers decline pending ones', () => {
  const query = (
    status: 'pending' | 'confirmed' | 'completed',
    party: 'client' | 'provider',
    hours: number,
  ) => ({
    appointment: { status, kind: 'follow-up' as const, start: monday, end: monday + hour },
    party,
    now: monday + hours * hour,
    cancellationDeadlineHours: 2,
  });
  expect(refuseInSeries('cancel', query('pending', 'provider', -1))).toBeNull();
  expect(refuseInSeries('cancel', query('pending', 'provider', 0))?.reason).toBe('already_started');
  expect(refuseInSeries('cancel', query('confirmed', 'provider', -1))).toBeNull();
  expect(refuseInSeries('cancel', query('confirmed', 'client', -2))).toBeNull();
  expect(refuseInSeries('cancel', query('confirmed', 'client', -1))?.reason).toBe('deadline_passed');
  expect(refuseInSeries('reschedule', query('confirmed', 'client', -1))?.reason).toBe('deadline_passed');
  expect(refuseInSeries('reschedule', query('completed', 'provider', -9))?.reason).toBe('wrong_status');
});
