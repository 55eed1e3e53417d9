import { expect, test } from 'vitest';
import { audioTotalsOf, levelBetween, lossBetween, packetTotalsOf, roundTripOf } from './peer-stats.ts';

function report(
  ...stats: readonly (Partial<RTCInboundRtpStreamStats & RTCIceCandidatePairStats> & { type: RTCStatsType })[]
) {
  return new Map(stats.map((one, index) => [`${index}`, one as RTCStats]));
}

test('measures the mean level between two readings', () => {
  const start = { energy: 0, duration: 0 };
  const audio = report({ type: 'inbound-rtp', totalAudioEnergy: 0.5, totalSamplesDuration: 2 });
  expect(audioTotalsOf(audio)).toEqual({ energy: 0.5, duration: 2 });
  expect(levelBetween(start, { energy: 0.5, duration: 2 })).toBe(0.5);
  expect(levelBetween({ energy: 0.5, duration: 2 }, { energy: 0.5, duration: 3 })).toBe(0);
  expect(levelBetween({ energy: 0.5, duration: 2 }, { energy: 0.5, duration: 2 })).toBe(0);
});

test('has no level without received audio', () => {
  expect(audioTotalsOf(report())).toBe(null);
  expect(audioTotalsOf(report({ type: 'inbound-rtp' }))).toBe(null);
});

test('measures the loss of all streams between two readings', () => {
  const packets = report(
    { type: 'inbound-rtp', packetsReceived: 80, packetsLost: 5 },
    { type: 'inbound-rtp', packetsReceived: 10, packetsLost: 5 },
    { type: 'outbound-rtp', packetsReceived: 1_000 },
  );
  expect(packetTotalsOf(packets)).toEqual({ received: 90, lost: 10 });
  expect(lossBetween({ received: 0, lost: 0 }, { received: 90, lost: 10 })).toBe(0.1);
  // Late packets can reduce the total of lost ones.
  expect(lossBetween({ received: 90, lost: 10 }, { received: 100, lost: 9 })).toBe(0);
  expect(lossBetween({ received: 90, lost: 10 }, { received: 90, lost: 10 })).toBe(null);
});

test('reads the round trip of the pair in use, in milliseconds', () => {
  const pair = { type: 'candidate-pair', state: 'succeeded' } as const;
  const unused = { ...pair, nominated: false, currentRoundTripTime: 0.9 };
  expect(roundTripOf(report(unused, { ...pair, nominated: true, currentRoundTripTime: 0.25 }))).toBe(250);
  expect(roundTripOf(report(unused))).toBe(null);
});
