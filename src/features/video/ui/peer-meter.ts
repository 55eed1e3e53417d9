import type { Measure } from './call-rules.ts';
import {
  audioTotalsOf,
  levelBetween,
  lossBetween,
  packetTotalsOf,
  roundTripOf,
  type AudioTotals,
  type PacketTotals,
} from './peer-stats.ts';
import { microphoneOf } from './peer-media.ts';

/** Measures one connection. Each value covers the time since the previous call. */
export function createPeerMeter(connection: RTCPeerConnection) {
  let audio: AudioTotals = { energy: 0, duration: 0 };
  let packets: PacketTotals = { received: 0, lost: 0 };
  return {
    async audioLevel(): Promise<number> {
      const report = await microphoneOf(connection)?.receiver.getStats();
      const totals = report && audioTotalsOf(report);
      if (!totals) return 0;
      const before = audio;
      audio = totals;
      return levelBetween(before, totals);
    },
    async measure(): Promise<Measure> {
      const report = (await connection.getStats()) as ReadonlyMap<string, RTCStats>;
      const before = packets;
      packets = packetTotalsOf(report);
      return { roundTrip: roundTripOf(report), lost: lossBetween(before, packets) };
    },
  };
}
