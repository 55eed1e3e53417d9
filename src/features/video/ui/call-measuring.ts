import type { CallConnection } from './call-connections.ts';
import { grade, whoSpeaks, type Speaker } from './call-rules.ts';

type Connections = ReadonlyMap<string, CallConnection>;

/** Follows the active speaker by the levels of all microphones. */
export function createSpeakerDetector({
  connections,
  ownLevel,
  onChange,
}: {
  connections: Connections;
  /** From 0 to 1. */
  ownLevel: () => number;
  onChange: () => void;
}) {
  let speaker: Speaker | null = null;
  let busy = false;
  return {
    /** A connection's page id or `self`. */
    speakerId: () => speaker?.id ?? null,
    async detect() {
      if (busy) return;
      busy = true;
      try {
        const measured = await Promise.all(
          [...connections].map(async ([id, { link }]) => [id, await link.audioLevel()] as const),
        );
        const levels = new Map(measured.filter(([id]) => connections.has(id)));
        levels.set('self', ownLevel());
        const before = speaker?.id;
        speaker = whoSpeaks(speaker, levels, performance.now());
        if (speaker?.id !== before) onChange();
      } catch {
        // A connection closed meanwhile.
      } finally {
        busy = false;
      }
    },
  };
}

/** Grades the quality of every connection. */
export async function measureQuality(connections: Connections, onChange: () => void): Promise<void> {
  for (const connection of connections.values()) {
    if (connection.link.state() !== 'connected') continue;
    const { quality } = connection.grade;
    try {
      connection.grade = grade(connection.grade, await connection.link.measure());
    } catch {
      // The connection closed meanwhile.
    }
    if (connection.grade.quality !== quality) onChange();
  }
}
