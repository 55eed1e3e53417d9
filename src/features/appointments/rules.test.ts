import { expect, test } from 'vitest';
import type { Schedule } from '#/features/availability/rules.ts';
import { noTerms } from '#/features/availability/terms/rules.ts';
import { decideBooking, openStarts, type BusyTime } from './rules.ts';

const minute = 60_000;
const nine = Date.parse('2026-03-09T09:00:00Z');
const schedule: Schedule = {
  timeZone: 'UTC',
  weekly: [{ weekday: 1, from: '09:00', to: '19:00' }],
  exceptions: [],
  rest: { kind: 'none', place: null },
  terms: noTerms,
  placed: false,
};

function chance(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const buffers = [0, 5, 15, 30, 45, 60, 120];

test('applies the larger of the stored and current buffer after a session', () => {
  const random = chance(20_260_309);
  const pick = <T>(of: readonly T[]): T => of[random(of.length)]!;
  let refusedByRaise = 0;
  for (let round = 0; round < 400; round++) {
    const busy: BusyTime[] = Array.from({ length: 1 + random(4) }, () => {
      const start = nine + random(20) * 30 * minute;
      const sessionEnd = start + pick([30, 45, 60, 90]) * minute;
      if (random(4) === 0) return { start, end: sessionEnd, sessionEnd: null };
      return { start, end: sessionEnd + pick(buffers) * minute, sessionEnd };
    });
    const site = pick(buffers);
    const own = pick([null, ...buffers]);
    const buffer = Math.max(site, own ?? 0);
    const length = pick([30, 60, 90]);
    const query = {
      diary: {
        schedule: { ...schedule, terms: { ...noTerms, bufferMinutes: own } },
        busy,
        appointments: [],
      },
      own: [],
      settings: { bufferMinutes: site, advanceNoticeHours: 0, dailyMaximum: 100 },
      inPerson: false,
      now: nine,
    };
    // Brute-force oracle: checks each minute against blocked time, sessions and both buffers.
    const blocked = (at: number, bufferOf: (time: BusyTime) => number) =>
      busy.some((time) => at >= time.start && at < bufferOf(time));
    const stored = ({ end }: BusyTime) => end;
    const larger = (time: BusyTime) =>
      time.sessionEnd === null ? time.end : Math.max(time.end, time.sessionEnd + buffer * minute);
    const free = (start: number, bufferOf: (time: BusyTime) => number) => {
      for (let at = start; at < start + (length + buffer) * minute; at += minute)
        if (blocked(at, bufferOf)) return false;
      return true;
    };
    const grid = Array.from({ length: 20 }, (_, step) => nine + step * 30 * minute).filter(
      (start) => start + length * minute <= nine + 600 * minute,
    );
    const expected = grid.filter((start) => free(start, larger));
    refusedByRaise += grid.filter((start) => free(start, stored)).length - expected.length;
    expect(openStarts(query, length, { start: nine, end: nine + 600 * minute })).toEqual(expected);
    for (const start of grid) {
      const input = { start, durationMinutes: length, recurrence: 'one_time' as const, sessions: 1 };
      const wanted = expected.includes(start) ? null : 'slot_taken';
      expect(decideBooking({ ...query, input })[0]!.refusal).toBe(wanted);
      expect(decideBooking({ ...query, input, outsideHours: true })[0]!.refusal).toBe(wanted);
    }
  }
  expect(refusedByRaise).toBeGreaterThan(100);
});
