import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateFormat } from '#/kernel/date-text.ts';
import type { DayPart, WaitPreferences } from './contract.ts';
import { datePassed, nextTurn, matchingTimes, type Waiting } from './rules.ts';

const dayParts: readonly DayPart[] = ['morning', 'afternoon', 'evening'];

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Monday, noon in New York. */
const now = Date.parse('2026-03-02T17:00:00Z');

const anything: WaitPreferences = {
  untilDate: '2026-12-31',
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  dayParts: ['morning', 'afternoon', 'evening'],
  timeZone: 'America/New_York',
};

function waiting(id: string, more: Partial<Waiting> = {}): Waiting {
  return {
    id,
    wishes: anything,
    blockMinutes: 75,
    before: null,
    free: [],
    notice: 0,
    movableUntil: null,
    offers: [],
    passed: [],
    ...more,
  };
}

const at = (iso: string) => Date.parse(iso);

function fits(start: number, wishes: WaitPreferences): boolean {
  return matchingTimes({ free: [start], wishes, before: null }).length === 1;
}

/** Deadline for an offer made at `moment`, bookable until `latest`. */
function deadlineAt(moment: number, latest: number): number | undefined {
  const far = moment + 100 * day;
  return nextTurn([waiting('a', { free: [far], notice: far - latest })], moment).offered[0]?.deadline;
}

test('applies preferences in the client’s time zone, to the minute', () => {
  const wishes: WaitPreferences = {
    ...anything,
    untilDate: '2026-03-08',
    weekdays: [7],
    dayParts: ['afternoon'],
  };
  // DST starts in New York that Sunday.
  expect(fits(at('2026-03-08T15:59:00Z'), wishes)).toBe(false);
  expect(fits(at('2026-03-08T16:00:00Z'), wishes)).toBe(true);
  expect(fits(at('2026-03-08T20:59:00Z'), wishes)).toBe(true);
  expect(fits(at('2026-03-08T21:00:00Z'), wishes)).toBe(false);
  expect(fits(at('2026-03-09T16:00:00Z'), wishes)).toBe(false);
  expect(fits(at('2026-03-08T16:00:00Z'), { ...wishes, timeZone: 'Asia/Kathmandu' })).toBe(false);
  expect(datePassed(wishes, at('2026-03-09T03:59:00Z'))).toBe(false);
  expect(datePassed(wishes, at('2026-03-09T04:00:00Z'))).toBe(true);
});

test('matches a search by wall clock', () => {
  const zones = ['America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Europe/London'];
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 500 * 24 * 4 }),
      fc.constantFrom(...zones),
      fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
      fc.subarray([...dayParts], { minLength: 1 }),
      fc.integer({ min: 0, max: 500 }),
      (quarter, timeZone, weekdays, parts, days) => {
        const start = now + quarter * 15 * minute;
        const untilDate = new Date(now + days * day).toISOString().slice(0, 10);
        const shown = dateFormat(
          timeZone,
          {
            hourCycle: 'h23',
            weekday: 'short',
            year: 'numeric',
            month: '2-digit',
            day: '2-digit',
            hour: '2-digit',
          },
          'en-CA',
        ).formatToParts(start);
        const part = (type: string) => shown.find((one) => one.type === type)!.value;
        const weekday = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(part('weekday')) + 1;
        const clock = Number(part('hour'));
        const ofDay = clock < 12 ? 'morning' : clock < 17 ? 'afternoon' : 'evening';
        const date = `${part('year')}-${part('month')}-${part('day')}`;
        const expected = date <= untilDate && weekdays.includes(weekday) && parts.includes(ofDay);
        expect(fits(start, { untilDate, weekdays, dayParts: parts, timeZone })).toBe(expected);
      },
    ),
  );
});

test('gives an hour to answer, at most until the time is bookable, and at night until 9 AM', () => {
  const far = now + 30 * day;
  expect(deadlineAt(now, far)).toBe(now + hour);
  expect(deadlineAt(now, now + 20 * minute)).toBe(now + 20 * minute);
  expect(deadlineAt(now, now + 10 * minute)).toBe(now + 10 * minute);
  expect(deadlineAt(now, now + 10 * minute - 1)).toBeUndefined();
  const morning = at('2026-03-03T14:00:00Z');
  expect(deadlineAt(at('2026-03-03T02:00:00Z'), far)).toBe(morning);
  expect(deadlineAt(at('2026-03-03T12:59:00Z'), far)).toBe(morning);
  expect(deadlineAt(at('2026-03-03T13:00:00Z'), far)).toBe(morning);
  expect(deadlineAt(at('2026-03-03T01:59:00Z'), far)).toBe(at('2026-03-03T02:59:00Z'));
  // That night is an hour shorter because DST starts.
  expect(deadlineAt(at('2026-03-08T05:00:00Z'), far)).toBe(at('2026-03-08T13:00:00Z'));
});

test('offers a time to the first match, and to the next after the deadline', () => {
  const start = now + 5 * day;
  const evening: WaitPreferences = { ...anything, dayParts: ['evening'] };
  const line = [
    waiting('choosy', { wishes: evening, free: [start] }),
    waiting('first', { free: [start] }),
    waiting('second', { free: [start] }),
  ];
  expect(nextTurn(line, now)).toEqual({
    gone: [],
    offered: [{ waitId: 'first', start, deadline: now + hour }],
  });
  const offers = [{ id: 'offer', start, offeredAt: now, deadline: now + hour }];
  const asked = line.with(1, { ...line[1]!, offers });
  expect(nextTurn(asked, now + hour - 1)).toEqual({ gone: [], offered: [] });
  expect(nextTurn(asked, now + hour)).toEqual({
    gone: [],
    offered: [{ waitId: 'second', start, deadline: now + 2 * hour }],
  });
});

test('offers separate times to several people, treating overlapping ones as one', () => {
  const start = now + 5 * day;
  const free = [start, start + 30 * minute, start + 90 * minute];
  const line = ['a', 'b', 'c'].map((id) => waiting(id, { free }));
  expect(nextTurn(line, now).offered.map(({ waitId, start: found }) => [waitId, found])).toEqual([
    ['a', start],
    ['b', start + 90 * minute],
  ]);
});

test('makes another offer after a decline, or at least a day after a lapsed one', () => {
  const start = now + 5 * day;
  const free = [start, start + 2 * hour];
  const passed = waiting('a', { free, passed: [start] });
  expect(nextTurn([passed], now).offered).toMatchObject([{ start: start + 2 * hour }]);
  const lapsed = waiting('a', {
    free,
    offers: [{ id: 'offer', start, offeredAt: now - 2 * hour, deadline: now - hour }],
  });
  expect(nextTurn([lapsed], now).offered).toEqual([]);
  expect(nextTurn([lapsed], now + day).offered).toMatchObject([{ start: start + 2 * hour }]);
});

test('moves an appointment only to an earlier time, while it can be moved', () => {
  const start = now + 5 * day;
  const moving = waiting('a', {
    free: [start, start + day],
    before: start + hour,
    movableUntil: start - day,
  });
  expect(nextTurn([moving], now).offered).toMatchObject([{ start }]);
  expect(nextTurn([{ ...moving, before: start }], now).offered).toEqual([]);
  expect(nextTurn([moving], start - day).offered).toEqual([]);
});

test('withdraws offers that the preferences or a moved appointment no longer allow', () => {
  const start = now + 5 * day;
  const offers = [{ id: 'offer', start, offeredAt: now - hour / 2, deadline: now + hour / 2 }];
  const next = waiting('next', { free: [start] });
  const offered = [{ waitId: 'next', start, deadline: now + hour }];
  const asked = waiting('asked', { free: [start], offers, before: start + hour });
  expect(nextTurn([asked, next], now)).toEqual({ gone: [], offered: [] });
  expect(nextTurn([{ ...asked, before: start }, next], now)).toEqual({ gone: ['offer'], offered });
  const evenings: WaitPreferences = { ...anything, dayParts: ['evening'] };
  expect(nextTurn([{ ...asked, wishes: evenings }, next], now)).toEqual({ gone: ['offer'], offered });
});

/** Random waiting lists with free times and offers. */
const lines = fc.array(
  fc.record({
    free: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }),
    offered: fc.array(
      fc.record({ at: fc.integer({ min: 1, max: 12 }), age: fc.integer({ min: 1, max: 60 }) }),
      {
        maxLength: 2,
      },
    ),
    passed: fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 2 }),
    before: fc.option(fc.integer({ min: 1, max: 14 })),
    dayParts: fc.subarray([...dayParts], { minLength: 1 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test('keeps offers fair, unique and complete for any waiting list', () => {
  const step = 30 * minute;
  const of = (index: number) => now + day + index * step;
  fc.assert(
    fc.property(lines, (people) => {
      const line = people.map((person, index): Waiting =>
        waiting(String(index), {
          free: person.free.toSorted((a, b) => a - b).map(of),
          before: person.before === null ? null : of(person.before),
          passed: person.passed.map(of),
          wishes: { ...anything, dayParts: person.dayParts },
          offers: person.offered.map(({ at: place, age }, number) => {
            const offeredAt = now - age * hour;
            return {
              id: `${index}-${number}`,
              start: of(place),
              offeredAt,
              deadline: offeredAt + hour + hour / 2,
            };
          }),
        }),
      );
      const { gone, offered } = nextTurn(line, now);
      const all = line.flatMap((person) =>
        person.offers.map((offer) => ({ ...offer, wanted: matchingTimes(person).includes(offer.start) })),
      );
      expect(new Set(gone)).toEqual(new Set(all.filter(({ wanted }) => !wanted).map(({ id }) => id)));
      // No two offers overlap, pending ones included.
      const blocks = [
        ...all.filter(({ id, deadline }) => !gone.includes(id) && deadline > now),
        ...offered,
      ].map(({ start }) => start);
      for (const { start } of offered) {
        expect(blocks.filter((other) => Math.abs(other - start) < 75 * minute)).toHaveLength(1);
      }
      for (const { waitId, start, deadline } of offered) {
        const person = line.find(({ id }) => id === waitId)!;
        expect(matchingTimes(person)).toContain(start);
        expect(person.passed).not.toContain(start);
        expect(deadline).toBeGreaterThan(now);
        expect(offered.filter((one) => one.waitId === waitId)).toHaveLength(1);
      }
      // Anyone without a new offer either had a pending one or found no free time left.
      for (const [index, person] of line.entries()) {
        if (offered.some(({ waitId }) => waitId === person.id)) continue;
        const open = person.offers.filter(({ id }) => !gone.includes(id));
        if (open.some(({ deadline, offeredAt }) => deadline > now || offeredAt + day > now)) continue;
        const earlier = new Set(line.slice(0, index).map(({ id }) => id));
        const before = [
          ...all.filter(({ id, deadline }) => !gone.includes(id) && deadline > now).map(({ start }) => start),
          ...offered.filter(({ waitId }) => earlier.has(waitId)).map(({ start }) => start),
        ];
        const left = matchingTimes(person).filter(
          (start) =>
            !person.passed.includes(start) &&
            !open.some((offer) => offer.start === start) &&
            before.every((other) => Math.abs(other - start) >= 75 * minute),
        );
        expect(left).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});
