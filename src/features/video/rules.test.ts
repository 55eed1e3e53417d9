import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoomPart, RoomRefusal } from './contract.ts';
import {
  callOf,
  hasPlace,
  isAdmitted,
  maxPeersOfPerson,
  refuseRoom,
  roomHours,
  type RoomQuery,
} from './rules.ts';

const start = Temporal.Instant.from('2026-03-02T12:00:00Z');
const end = Temporal.Instant.from('2026-03-02T13:00:00Z');
const at = (iso: string) => Temporal.Instant.from(iso).epochMilliseconds;

function query(more: Partial<RoomQuery>): RoomQuery {
  return {
    status: 'confirmed',
    start: start.epochMilliseconds,
    end: end.epochMilliseconds,
    endedAt: null,
    consented: true,
    now: start.epochMilliseconds,
    ...more,
  };
}

test('opens a room ten minutes before the start and closes it 15 minutes after the end', () => {
  expect(roomHours(query({}))).toEqual({
    opens: at('2026-03-02T11:50:00Z'),
    closes: at('2026-03-02T13:15:00Z'),
  });
});

test.each([
  ['2026-03-01T12:00:00Z', 'early'],
  ['2026-03-02T11:49:59.999Z', 'early'],
  ['2026-03-02T11:50:00Z', null],
  ['2026-03-02T12:00:00Z', null],
  ['2026-03-02T13:00:00Z', null],
  ['2026-03-02T13:14:59.999Z', null],
  ['2026-03-02T13:15:00Z', 'over'],
  ['2027-03-02T12:00:00Z', 'over'],
] as const)('at %s, answers %s for the room of a confirmed 12:00 to 13:00 session', (now, expected) => {
  expect(refuseRoom(query({ now: at(now) }))).toBe(expected);
});

test('keeps an ended room closed until the session moves to a later opening', () => {
  const endedAt = at('2026-03-02T12:30:00Z');
  expect(refuseRoom(query({ endedAt, now: endedAt }))).toBe('ended');
  expect(refuseRoom(query({ endedAt, now: at('2026-03-02T13:15:00Z') }))).toBe('ended');
  const moved = { start: at('2026-03-02T12:40:00.001Z'), end: at('2026-03-02T13:40:00.001Z') };
  expect(refuseRoom(query({ ...moved, endedAt, now: at('2026-03-02T12:40:00Z') }))).toBeNull();
  expect(refuseRoom(query({ ...moved, start: moved.start - 1, endedAt, now: moved.start }))).toBe('ended');
});

/** Oracle written from the product spec, using Temporal arithmetic. */
function sentence(of: {
  status: RoomQuery['status'];
  starts: Temporal.Instant;
  ends: Temporal.Instant;
  ended: Temporal.Instant | null;
  consented: boolean;
  now: Temporal.Instant;
}): RoomRefusal | null {
  const before = Temporal.Duration.compare(of.now.until(of.starts), { minutes: 10 }) > 0;
  const after = Temporal.Duration.compare(of.ends.until(of.now), { minutes: 15 }) >= 0;
  const endedForThis =
    of.ended !== null && Temporal.Duration.compare(of.ended.until(of.starts), { minutes: 10 }) <= 0;
  const reasons: [RoomRefusal, boolean][] = [
    ['cancelled', ['cancelled', 'no_show'].includes(of.status)],
    ['ended', of.status === 'completed' || endedForThis],
    ['over', after],
    ['unconfirmed', of.status === 'pending'],
    ['consent_missing', !of.consented],
    ['early', before],
  ];
  return reasons.find(([, holds]) => holds)?.[0] ?? null;
}

test('matches the spec for every combination of status, time, ending and consent', () => {
  const millisecond = fc.integer({ min: -1, max: 1 });
  /** Moments near every boundary, and random ones. */
  const moment = (length: number) =>
    fc.oneof(
      fc
        .tuple(fc.constantFrom(-10, 0, length, length + 15, length - 10), millisecond)
        .map(([minutes, ms]) => minutes * 60_000 + ms),
      fc.integer({ min: -100 * 60_000, max: 400 * 60_000 }),
    );
  const cases = fc.integer({ min: 15, max: 240 }).chain((length) =>
    fc.record({
      length: fc.constant(length),
      status: fc.constantFrom<RoomQuery['status']>(
        'pending',
        'confirmed',
        'completed',
        'cancelled',
        'no_show',
      ),
      now: moment(length),
      ended: fc.option(moment(length)),
      consented: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(cases, ({ length, status, now, ended, consented }) => {
      const from = start.epochMilliseconds;
      const given = query({
        status,
        end: from + length * 60_000,
        now: from + now,
        endedAt: ended === null ? null : from + ended,
        consented,
      });
      const expected = sentence({
        status,
        starts: start,
        ends: start.add({ minutes: length }),
        ended: ended === null ? null : start.add({ milliseconds: ended }),
        consented,
        now: start.add({ milliseconds: now }),
      });
      expect(refuseRoom(given)).toBe(expected);
    }),
    { numRuns: 3_000 },
  );
});

test('lets the provider in directly, others after admission since the room opened', () => {
  const opens = start.epochMilliseconds;
  for (const part of ['client', 'guest'] as const) {
    expect(isAdmitted({ part, admittedAt: null, opens })).toBe(false);
    expect(isAdmitted({ part, admittedAt: opens - 1, opens })).toBe(false);
    expect(isAdmitted({ part, admittedAt: opens, opens })).toBe(true);
  }
  expect(isAdmitted({ part: 'provider', admittedAt: null, opens })).toBe(true);
});

test('fits six people, and always the provider', () => {
  const guests = (count: number): RoomPart[] => ['client', ...Array<RoomPart>(count - 1).fill('guest')];
  expect(hasPlace('guest', guests(4), 6)).toBe(true);
  expect(hasPlace('guest', [...guests(4), 'provider'], 6)).toBe(true);
  expect(hasPlace('guest', guests(5), 6)).toBe(false);
  expect(hasPlace('client', guests(5), 6)).toBe(false);
  expect(hasPlace('provider', guests(5), 6)).toBe(true);
  expect(maxPeersOfPerson).toBe(3);
});

describe('calling by phone', () => {
  const both = { client: '+1 555 010 0199', provider: '+1 555 010 0142' };
  const call = (part: RoomPart, numbers: typeof both | { client: string | null; provider: string | null }) =>
    callOf({ part, sessionType: 'phone', refusal: null, numbers });

  test('has the provider call the client, whose number only these two see', () => {
    expect(call('provider', both)).toMatchObject({ caller: 'provider', number: both.client });
    expect(call('client', both)).toMatchObject({ caller: 'provider', number: both.client });
    expect(call('guest', both)).toMatchObject({ caller: 'provider', number: null });
  });

  test('has the provider call in phone sessions, even without a number', () => {
    for (const part of ['client', 'provider', 'guest'] as const)
      expect(call(part, { ...both, client: null })).toEqual({
        caller: 'provider',
        number: null,
        given: false,
      });
  });

  test('has a client without a number call the provider when video falls back to phone', () => {
    const fallbackCall = (part: RoomPart, numbers: { client: string | null; provider: string | null }) =>
      callOf({ part, sessionType: 'online', refusal: null, numbers });
    expect(fallbackCall('client', { ...both, client: null })).toMatchObject({
      caller: 'client',
      number: both.provider,
    });
    expect(fallbackCall('provider', { ...both, client: null })).toMatchObject({
      caller: 'client',
      number: null,
    });
    expect(fallbackCall('guest', { ...both, client: null })).toMatchObject({
      caller: 'client',
      number: null,
    });
    expect(fallbackCall('client', { client: null, provider: null })).toMatchObject({
      caller: 'client',
      number: null,
    });
  });

  test('shows a number while it may be called, and earlier for phone sessions', () => {
    const told = (['online', 'phone', 'in-person'] as const).map((sessionType) =>
      ([null, 'early', 'over', 'cancelled', 'unconfirmed', 'ended', 'consent_missing'] as const).filter(
        (refusal) => callOf({ part: 'provider', sessionType, refusal, numbers: both }).number !== null,
      ),
    );
    expect(told).toEqual([[null], [null, 'early'], [null]]);
  });
});
