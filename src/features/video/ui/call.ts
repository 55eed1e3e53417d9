import type { IceServers, Room } from '../contract.ts';
import { appendMessage, type ChatMessage } from './call-chat.ts';
import { createConnections, idle, type LocalState } from './call-connections.ts';
import type { CallEvent } from './call-events.ts';
import { createSpeakerDetector, measureQuality } from './call-measuring.ts';
import { recoverConnections } from './call-recovery.ts';
import { cleanLine, type Signal } from './call-rules.ts';
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
