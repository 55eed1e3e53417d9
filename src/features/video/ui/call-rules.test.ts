import { describe, expect, test } from 'vitest';
import {
  cleanLine,
  gradeConnection,
  hasRelay,
  isPeerGone,
  mustReplace,
  isPolite,
  largestOf,
  longestLine,
  meeting,
  readSignal,
  parsePeerMessage,
  transportPolicy,
  activeSpeaker,
  worstQuality,
  type Grade,
  type Measure,
} from './call-rules.ts';

const well: Measure = { roundTrip: 60, lost: 0 };
const slow: Measure = { roundTrip: 500, lost: 0 };
const lossy: Measure = { roundTrip: 60, lost: 0.3 };

function told(measures: readonly Measure[]): string[] {
  let now: Grade = { quality: 'good', streak: 0 };
  return measures.map((measure) => (now = gradeConnection(now, measure)).quality);
}

describe('connection quality', () => {
  test('drops after two bad measurements in a row, not one', () => {
    expect(told([well, slow, well, slow, well])).toEqual(['good', 'good', 'good', 'good', 'good']);
    expect(told([slow, slow])).toEqual(['good', 'unsteady']);
    expect(told([lossy, lossy])).toEqual(['good', 'poor']);
  });

  test('recovers only after four good measurements in a row', () => {
    expect(told([lossy, lossy, well, well, well, well])).toEqual([
      'good',
      'poor',
      'poor',
      'poor',
      'poor',
      'good',
    ]);
    expect(told([lossy, lossy, well, well, well, lossy, well, well, well]).at(-1)).toBe('poor');
  });

  test('ignores unknown measurements', () => {
    expect(told([{ roundTrip: null, lost: null }])).toEqual(['good']);
  });

  test('reports the worst of several connections', () => {
    expect(worstQuality([])).toBe('good');
    expect(worstQuality(['good', 'poor', 'unsteady'])).toBe('poor');
    expect(worstQuality(['unsteady', 'good'])).toBe('unsteady');
  });
});

describe('the active speaker', () => {
  const levels = (one: number, other: number) =>
    new Map([
      ['one', one],
      ['other', other],
    ]);

  test('is the loudest, if loud enough', () => {
    expect(activeSpeaker(null, levels(0.3, 0.1), 0)?.id).toBe('one');
    expect(activeSpeaker(null, levels(0.001, 0.002), 0)).toBe(null);
  });

  test('stays through a pause and against a louder person', () => {
    const one = { id: 'one', heardAt: 1_000 };
    expect(activeSpeaker(one, levels(0.1, 0.9), 1_200)).toEqual({ id: 'one', heardAt: 1_200 });
    expect(activeSpeaker(one, levels(0, 0), 2_500)?.id).toBe('one');
    expect(activeSpeaker(one, levels(0, 0), 2_900)).toBe(null);
  });

  test('changes after half a pause, and immediately when the speaker leaves', () => {
    const one = { id: 'one', heardAt: 1_000 };
    expect(activeSpeaker(one, levels(0, 0.2), 1_500)?.id).toBe('one');
    expect(activeSpeaker(one, levels(0, 0.2), 2_000)?.id).toBe('other');
    expect(activeSpeaker(one, new Map([['other', 0.2]]), 1_100)?.id).toBe('other');
  });
});

test('detects a relay if a server is a TURN server', () => {
  const stun = { urls: ['stun:relay.example:3478'] };
  expect(hasRelay([])).toBe(false);
  expect(hasRelay([stun])).toBe(false);
  expect(hasRelay([stun, { urls: ['turn:relay.example:3478?transport=udp'] }])).toBe(true);
  expect(hasRelay([{ urls: ['stun:relay.example', 'TURNS:relay.example:5349'] }])).toBe(true);
});

test('uses only the relay for people hiding their network address', () => {
  expect(transportPolicy(true)).toBe('relay');
  expect(transportPolicy(false)).toBe('all');
});

test('makes exactly one of two peers polite', () => {
  expect(isPolite('a', 'b')).toBe(true);
  expect(isPolite('b', 'a')).toBe(false);
});

test('continues with a known peer, switches before pairing and restarts after', () => {
  expect(meeting({ own: 'x', other: 'a', begun: true }, 'a')).toBe('same');
  expect(meeting({ own: 'x', other: null, begun: false }, 'a')).toBe('paired');
  expect(meeting({ own: 'x', other: 'a', begun: false }, 'b')).toBe('paired');
  expect(meeting({ own: 'x', other: 'a', begun: true }, 'b')).toBe('restarted');
});

test('keeps a connection briefly after its peer leaves the list, unless closed remotely', () => {
  expect(isPeerGone({ absentFor: null, dead: true })).toBe(false);
  expect(isPeerGone({ absentFor: 5_000, dead: false })).toBe(false);
  expect(isPeerGone({ absentFor: 5_000, dead: true })).toBe(true);
  expect(isPeerGone({ absentFor: 40_000, dead: false })).toBe(true);
});

test('reconnects a lost connection, but not without its peer', () => {
  expect(mustReplace({ downFor: null, present: true })).toBe(false);
  expect(mustReplace({ downFor: 10_000, present: true })).toBe(false);
  expect(mustReplace({ downFor: 25_000, present: true })).toBe(true);
  expect(mustReplace({ downFor: 25_000, present: false })).toBe(false);
});

test('features a shared screen, then the speaker, then the previous person, never oneself', () => {
  const self = { id: 'self', own: true, screen: false };
  const [ann, ben] = [
    { id: 'ann', own: false, screen: false },
    { id: 'ben', own: false, screen: false },
  ];
  expect(largestOf([self], null, null)).toBe('self');
  expect(largestOf([ann, ben, self], null, null)).toBe('ann');
  expect(largestOf([ann, ben, self], 'ben', 'ann')).toBe('ben');
  expect(largestOf([ann, ben, self], 'self', 'ben')).toBe('ben');
  expect(largestOf([ann, ben, self, { ...ben, id: 'ben screen', screen: true }], 'ann', 'ann')).toBe(
    'ben screen',
  );
});

describe('messages from other browsers', () => {
  test('are parsed as far as valid', () => {
    const doing = { microphone: true, camera: false, screen: false, phone: false };
    expect(
      parsePeerMessage(JSON.stringify({ kind: 'doing', doing: { ...doing, camera: 'yes', more: 1 } })),
    ).toEqual({
      kind: 'doing',
      doing,
    });
    expect(parsePeerMessage('{"kind":"bye"}')).toEqual({ kind: 'bye' });
    expect(parsePeerMessage('{"kind":"chat","text":" Hello "}')).toEqual({ kind: 'chat', text: 'Hello' });
  });

  test.each([
    '',
    'nonsense',
    'null',
    '[]',
    '{"kind":"chat"}',
    '{"kind":"chat","text":"  "}',
    '{"kind":"doing"}',
    '{"kind":"other"}',
    `{"kind":"chat","text":"${'x'.repeat(5 * longestLine)}"}`,
    new ArrayBuffer(3),
  ])('are rejected if invalid: %s', (said) => expect(parsePeerMessage(said)).toBe(null));

  test('keep chat text and drop control characters', () => {
    expect(cleanLine('  a\u0000b\u202ec\u2066d\ne  ')).toBe('abcd\ne');
    expect(cleanLine('x'.repeat(longestLine + 5))).toHaveLength(longestLine);
  });
});

describe('signals', () => {
  test('are parsed with their fields', () => {
    expect(readSignal({ page: 'p', end: 'e', to: null, greets: true })).toEqual({
      page: 'p',
      end: 'e',
      to: null,
      greets: true,
      asks: false,
    });
    const description = { type: 'offer', sdp: 'v=0' };
    const candidates = [{ candidate: 'x' }, 'nonsense'];
    expect(readSignal({ page: 'p', end: 'e', to: 'f', description, candidates })).toEqual({
      page: 'p',
      end: 'e',
      to: 'f',
      greets: false,
      asks: false,
      description,
      candidates: [{ candidate: 'x' }],
    });
  });

  test.each([
    null,
    'text',
    {},
    { page: 'p', end: 'e' },
    { page: '', end: 'e', to: null },
    { page: 'p', end: 'x'.repeat(65), to: null },
    { page: 'p', end: 'e', to: 7 },
  ])('are rejected if invalid: %j', (value) => expect(readSignal(value)).toBe(null));
});
