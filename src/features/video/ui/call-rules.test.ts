import { describe, expect, test } from 'vitest';
import {
  cleanLine,
  grade,
  hasRelay,
  isGivenUp,
  isMadeAnew,
  isPolite,
  largestOf,
  longestLine,
  meeting,
  readSignal,
  readWord,
  transportPolicy,
  whoSpeaks,
  worstOf,
  type Grade,
  type Measure,
} from './call-rules.ts';

const well: Measure = { roundTrip: 60, lost: 0 };
const slow: Measure = { roundTrip: 500, lost: 0 };
const lossy: Measure = { roundTrip: 60, lost: 0.3 };

/** The qualities that are told after each of these measures. */
function told(measures: readonly Measure[]): string[] {
  let now: Grade = { quality: 'good', streak: 0 };
  return measures.map((measure) => (now = grade(now, measure)).quality);
}

describe('a line’s quality', () => {
  test('one bad measure changes nothing, two in a row do', () => {
    expect(told([well, slow, well, slow, well])).toEqual(['good', 'good', 'good', 'good', 'good']);
    expect(told([slow, slow])).toEqual(['good', 'unsteady']);
    expect(told([lossy, lossy])).toEqual(['good', 'poor']);
  });

  test('it is good again only after four good measures in a row', () => {
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

  test('what isn’t known yet speaks against nothing', () => {
    expect(told([{ roundTrip: null, lost: null }])).toEqual(['good']);
  });

  test('of several lines the worst is told', () => {
    expect(worstOf([])).toBe('good');
    expect(worstOf(['good', 'poor', 'unsteady'])).toBe('poor');
    expect(worstOf(['unsteady', 'good'])).toBe('unsteady');
  });
});

describe('who has the word', () => {
  const levels = (one: number, other: number) =>
    new Map([
      ['one', one],
      ['other', other],
    ]);

  test('the loudest, if anybody is loud enough', () => {
    expect(whoSpeaks(null, levels(0.3, 0.1), 0)?.id).toBe('one');
    expect(whoSpeaks(null, levels(0.001, 0.002), 0)).toBe(null);
  });

  test('who has it keeps it through a pause, and against somebody louder', () => {
    const one = { id: 'one', heardAt: 1_000 };
    expect(whoSpeaks(one, levels(0.1, 0.9), 1_200)).toEqual({ id: 'one', heardAt: 1_200 });
    expect(whoSpeaks(one, levels(0, 0), 2_500)?.id).toBe('one');
    expect(whoSpeaks(one, levels(0, 0), 2_900)).toBe(null);
  });

  test('after half a pause it is another’s, and at once where its owner has gone', () => {
    const one = { id: 'one', heardAt: 1_000 };
    expect(whoSpeaks(one, levels(0, 0.2), 1_500)?.id).toBe('one');
    expect(whoSpeaks(one, levels(0, 0.2), 2_000)?.id).toBe('other');
    expect(whoSpeaks(one, new Map([['other', 0.2]]), 1_100)?.id).toBe('other');
  });
});

test('calls have a relay where one of the servers is a TURN server', () => {
  const stun = { urls: ['stun:relay.example:3478'] };
  expect(hasRelay([])).toBe(false);
  expect(hasRelay([stun])).toBe(false);
  expect(hasRelay([stun, { urls: ['turn:relay.example:3478?transport=udp'] }])).toBe(true);
  expect(hasRelay([{ urls: ['stun:relay.example', 'TURNS:relay.example:5349'] }])).toBe(true);
});

test('whoever hides their network address is connected through the relay alone', () => {
  expect(transportPolicy(true)).toBe('relay');
  expect(transportPolicy(false)).toBe('all');
});

test('exactly one of two is polite', () => {
  expect(isPolite('a', 'b')).toBe(true);
  expect(isPolite('b', 'a')).toBe(false);
});

test('a line goes on with an end it knows, turns to a new one while fresh, and begins anew once it had agreed', () => {
  expect(meeting({ own: 'x', other: 'a', begun: true }, 'a')).toBe('same');
  expect(meeting({ own: 'x', other: null, begun: false }, 'a')).toBe('paired');
  expect(meeting({ own: 'x', other: 'a', begun: false }, 'b')).toBe('paired');
  expect(meeting({ own: 'x', other: 'a', begun: true }, 'b')).toBe('anew');
});

test('a line outlives its peer’s place in the list for a while, unless the other browser has closed it', () => {
  expect(isGivenUp({ absentFor: null, dead: true })).toBe(false);
  expect(isGivenUp({ absentFor: 5_000, dead: false })).toBe(false);
  expect(isGivenUp({ absentFor: 5_000, dead: true })).toBe(true);
  expect(isGivenUp({ absentFor: 40_000, dead: false })).toBe(true);
});

test('a line that stays down is made anew, but not without its peer', () => {
  expect(isMadeAnew({ downFor: null, present: true })).toBe(false);
  expect(isMadeAnew({ downFor: 10_000, present: true })).toBe(false);
  expect(isMadeAnew({ downFor: 25_000, present: true })).toBe(true);
  expect(isMadeAnew({ downFor: 25_000, present: false })).toBe(false);
});

test('large stands a screen, else who speaks, else who stood there, never oneself beside others', () => {
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

describe('what other browsers say', () => {
  test('is read as far as it makes sense', () => {
    const doing = { microphone: true, camera: false, screen: false, phone: false };
    expect(readWord(JSON.stringify({ kind: 'doing', doing: { ...doing, camera: 'yes', more: 1 } }))).toEqual({
      kind: 'doing',
      doing,
    });
    expect(readWord('{"kind":"bye"}')).toEqual({ kind: 'bye' });
    expect(readWord('{"kind":"chat","text":" Hello "}')).toEqual({ kind: 'chat', text: 'Hello' });
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
  ])('comes to nothing otherwise: %s', (said) => expect(readWord(said)).toBe(null));

  test('a line of the chat keeps its words, and none of the characters that play tricks', () => {
    expect(cleanLine('  a\u0000b\u202ec\u2066d\ne  ')).toBe('abcd\ne');
    expect(cleanLine('x'.repeat(longestLine + 5))).toHaveLength(longestLine);
  });
});

describe('signals', () => {
  test('are read with what they have', () => {
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
  ])('come to nothing where they make no sense: %j', (value) => expect(readSignal(value)).toBe(null));
});
