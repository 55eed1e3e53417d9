import type { Peer } from '../contract.ts';
import type { ChatMessage } from './call-chat.ts';
import { idle, type CallConnection } from './call-connections.ts';
import { worstQuality, type PeerState, type Quality } from './call-rules.ts';
import type { LinkState } from './peer-connectivity.ts';

/** Another page in the call. */
export interface Participant {
  /** Stable across socket reconnects. */
  id: string;
  peer: Peer;
  state: LinkState;
  /** Microphone and camera. */
  cameraStream: MediaStream | null;
  screenStream: MediaStream | null;
  doing: PeerState;
  quality: Quality;
}

/** Immutable snapshot, replaced on every change. */
export interface CallView {
  participants: readonly Participant[];
  chat: readonly ChatMessage[];
  /** Active speaker: a participant's id or `self`. */
  speaker: string | null;
  quality: Quality;
}

/** Shows peers whose page is unknown as connecting. */
export function callViewOf({
  connections,
  unpairedPeers,
  chat,
  speaker,
}: {
  connections: ReadonlyMap<string, CallConnection>;
  unpairedPeers: readonly Peer[];
  chat: readonly ChatMessage[];
  speaker: string | null;
}): CallView {
  const paired = [...connections].map(([id, connection]) => participantOf(id, connection));
  const unpaired = unpairedPeers
    .filter(({ personId }) => !isReconnecting(connections, personId))
    .map((peer): Participant => ({
      id: peer.peerId,
      peer,
      state: 'connecting',
      cameraStream: null,
      screenStream: null,
      doing: idle,
      quality: 'good',
    }));
  const connected = paired.filter(({ state }) => state === 'connected');
  return {
    participants: [...paired, ...unpaired],
    chat,
    speaker,
    quality: worstQuality(connected.map(({ quality }) => quality)),
  };
}

function participantOf(id: string, { link, peer, doing, grade }: CallConnection): Participant {
  const { cameraStream, screenStream } = link;
  return { id, peer, state: link.state(), cameraStream, screenStream, doing, quality: grade.quality };
}

/** Probably the same person reconnecting after a socket loss, with their connection still open. */
function isReconnecting(connections: ReadonlyMap<string, CallConnection>, personId: string): boolean {
  return [...connections.values()].some(
    ({ absentSince, peer }) => absentSince !== null && peer.personId === personId,
  );
}
