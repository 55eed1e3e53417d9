import type { IceServers, Room } from '../contract.ts';
import { appendMessage, type ChatMessage } from './call-chat.ts';
import {
  createConnections,
  idle,
  type LocalState,
  type CallConnections,
  type CallConnection,
} from './call-connections.ts';
import type { CallEvent } from './call-events.ts';
import {
  cleanLine,
  type Signal,
  isPeerGone,
  mustReplace,
  gradeConnection,
  activeSpeaker,
  type Speaker,
} from './call-rules.ts';
import { createSignaling } from './call-signaling.ts';
import { callViewOf, type CallView } from './call-view.ts';

interface CallOptions {
  iceServers: IceServers;
  transport: RTCIceTransportPolicy;
  /** Returns false while the socket is down. */
  signal(to: string, signal: Signal): boolean;
  requestRoom(): void;
  /** Own microphone level from 0 to 1. */
  ownLevel(): number;
  onEvent(event: CallEvent): void;
}

export interface Call {
  subscribe(listener: () => void): () => void;
  view(): CallView;
  /** Updates the room's peers; `ownId` identifies this page. */
  updateRoom(room: Room, ownId: string): void;
  receiveSignal(from: string, signal: unknown): void;
  /** Replaces the tracks and state sent to others. */
  sendLocalState(state: LocalState): void;
  sendChat(text: string): void;
  leave(): void;
}

/** In milliseconds. */
const levelInterval = 200;
const qualityInterval = 2_000;
const greetingInterval = 3_000;

/** Joins a room's call with one connection per peer, driven by the room's list and signals. */
export function createCall({
  iceServers,
  transport,
  signal,
  requestRoom,
  ownLevel,
  onEvent,
}: CallOptions): Call {
  /** Page id; survives socket reconnects. */
  const page = crypto.randomUUID();
  const listeners = new Set<() => void>();
  let local: LocalState = { tracks: { microphone: null, camera: null, screen: null }, doing: idle };
  let chat: readonly ChatMessage[] = [];
  let left = false;
  let view: CallView = { participants: [], chat, speaker: null, quality: 'good' };

  const update = () => {
    if (left) return;
    connections.shareBandwidth();
    view = callViewOf({
      connections: connections.all,
      unpairedPeers: signaling.unpairedPeers(),
      chat,
      speaker: speakerDetector.speakerId(),
    });
    for (const listener of listeners) listener();
  };

  const connections = createConnections({
    page,
    iceServers,
    transport,
    local: () => local,
    signal,
    onChat: (name, text) => {
      chat = appendMessage(chat, { name, text });
      onEvent({ kind: 'said', name, text });
    },
    onEvent,
    onChange: update,
  });
  const signaling = createSignaling({ page, connections, signal, requestRoom, onChange: update });
  const speakerDetector = createSpeakerDetector({
    connections: connections.all,
    ownLevel: () => (local.doing.microphone ? ownLevel() : 0),
    onChange: update,
  });

  const timers = [
    setInterval(() => void speakerDetector.detect(), levelInterval),
    setInterval(() => void measureQuality(connections.all, update), qualityInterval),
    setInterval(() => {
      recoverConnections(connections, update);
      signaling.greetPeers();
    }, greetingInterval),
  ];

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    view: () => view,
    updateRoom(room, ownId) {
      if (left) return;
      signaling.updatePeers(room, ownId);
      recoverConnections(connections, update);
      signaling.greetPeers();
      update();
    },
    receiveSignal(from, value) {
      if (!left) signaling.receive(from, value);
    },
    sendLocalState(state) {
      local = state;
      connections.sendLocalState();
    },
    sendChat(text) {
      const line = cleanLine(text);
      if (!line) return;
      connections.send({ kind: 'chat', text: line });
      chat = appendMessage(chat, { name: null, text: line });
      update();
    },
    leave() {
      if (left) return;
      left = true;
      for (const timer of timers) clearInterval(timer);
      connections.close();
    },
  };
}

/** Drops connections whose peer left for good, and replaces those that stay down. */
function recoverConnections({ all, drop, replace }: CallConnections, onChange: () => void): void {
  const now = performance.now();
  for (const [id, connection] of all) {
    const { link, absentSince } = connection;
    const downSince = link.downSince();
    const absentFor = absentSince === null ? null : now - absentSince;
    const downFor = downSince === null ? null : now - downSince;
    if (isPeerGone({ absentFor, dead: link.state() === 'closed' })) drop(id, connection);
    else if (mustReplace({ downFor, present: absentSince === null }))
      replace(id, connection).link.greet(true);
    else continue;
    onChange();
  }
}

type Connections = ReadonlyMap<string, CallConnection>;

/** Follows the speaker by all microphones' levels. */
function createSpeakerDetector({
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
        speaker = activeSpeaker(speaker, levels, performance.now());
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
async function measureQuality(connections: Connections, onChange: () => void): Promise<void> {
  for (const connection of connections.values()) {
    if (connection.link.state() !== 'connected') continue;
    const { quality } = connection.grade;
    try {
      connection.grade = gradeConnection(connection.grade, await connection.link.measure());
    } catch {
      // The connection closed meanwhile.
    }
    if (connection.grade.quality !== quality) onChange();
  }
}
