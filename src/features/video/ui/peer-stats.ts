import type { Measure } from './call-rules.ts';

type StatsReport = ReadonlyMap<string, RTCStats>;

/** Received audio since the start: `energy` as in `totalAudioEnergy`, `duration` in seconds. */
export interface AudioTotals {
  energy: number;
  duration: number;
}

/** Received and lost packets since the start. */
export interface PacketTotals {
  received: number;
  lost: number;
}

/** Null without received audio. */
export function audioTotalsOf(report: StatsReport): AudioTotals | null {
  const audio = inboundStreams(report)[0];
  if (audio?.totalAudioEnergy === undefined) return null;
  return { energy: audio.totalAudioEnergy, duration: audio.totalSamplesDuration ?? 0 };
}

/** Mean level between two readings, from 0 to 1: the latest packet alone would miss short sounds. */
export function levelBetween(before: AudioTotals, after: AudioTotals): number {
  const passed = after.duration - before.duration;
  return passed > 0 ? Math.sqrt(Math.max(0, after.energy - before.energy) / passed) : 0;
}

export function packetTotalsOf(report: StatsReport): PacketTotals {
  const streams = inboundStreams(report);
  return {
    received: sum(streams.map(({ packetsReceived }) => packetsReceived)),
    lost: sum(streams.map(({ packetsLost }) => packetsLost)),
  };
}

/** Share of packets lost between two readings, from 0 to 1; null without packets. */
export function lossBetween(before: PacketTotals, after: PacketTotals): Measure['lost'] {
  const received = after.received - before.received;
  const lost = Math.max(0, after.lost - before.lost);
  return received + lost > 0 ? lost / (received + lost) : null;
}

/** In milliseconds; null without a connected candidate pair. */
export function roundTripOf(report: StatsReport): Measure['roundTrip'] {
  const pairs = [...report.values()].filter(
    (stats): stats is RTCIceCandidatePairStats => stats.type === 'candidate-pair',
  );
  const active = pairs.find(({ state, nominated }) => nominated && state === 'succeeded');
  const roundTrip = active?.currentRoundTripTime;
  return roundTrip === undefined ? null : roundTrip * 1_000;
}

function inboundStreams(report: StatsReport): RTCInboundRtpStreamStats[] {
  return [...report.values()].filter(
    (stats): stats is RTCInboundRtpStreamStats => stats.type === 'inbound-rtp',
  );
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, one) => total + (one ?? 0), 0);
}
