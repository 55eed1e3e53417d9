import type { IceServers, Peer, Room } from '../contract.ts';
import {
  cleanLine,
  grade,
  isGivenUp,
  isMadeAnew,
  readSignal,
  whoSpeaks,
  worstOf,
  type Doing,
  type Grade,
  type Quality,
  type Signal,
  type Speaker,
} from './call-rules.ts';
import { createPeerLink, type LinkState, type PeerLink, type Sources } from './peer-link.ts';

export interface Partner {
  /** Stable across socket reconnects. */
  id: string;
  peer: Peer;
  state: LinkState;
  faces: MediaStream | null;
  screen: MediaStream | null;
  doing: Doing;
  quality: Quality;
}

/** In-memory chat message, never stored. */
export interface ChatLine {
  id: number;
  name: string | null;
  text: string;
}

export type Happening =
  | { kind: 'joined' | 'left' | 'phone' | 'sharing'; name: string }
  | { kind: 'said'; name: string; text: string };

/** Immutable snapshot, replaced on every change. */
export interface CallView {
  partners: readonly Partner[];
  chat: readonly ChatLine[];
  /** Active speaker: a partner's id or `self`. */
  speaker: string | null;
  quality: Quality;
}

interface Wiring {
  iceServers: IceServers;
  transport: RTCIceTransportPolicy;
  /** Returns false while the socket is down. */
  signal(to: string, signal: Signal): boolean;
  askRoom(): void;
  /** Own microphone level from 0 to 1. */
  ownLevel(): number;
  onHappening(happening: Happening): void;
}

export interface Call {
  subscribe(listener: () => void): () => void;
  view(): CallView;
  /** Updates the room's peers; `ownId` identifies this page. */
  roomIs(room: Room, ownId: string): void;
  hear(from: string, signal: unknown): void;
  /** Replaces the tracks and state sent to others. */
  send(sources: Sources, doing: Doing): void;
  say(text: string): void;
  leave(): void;
}

interface Line {
  link: PeerLink;
  peer: Peer;
  doing: Doing;
  grade: Grade;
  absentSince: number | null;
  wasUp: boolean;
}

const idle: Doing = { microphone: false, camera: false, screen: false, phone: false };
/** In milliseconds. */
const levelsEvery = 200;
const measuresEvery = 2_000;
const greetsEvery = 3_000;
/** Maximum signals queued from senders not yet in the list. */
const mostWaiting = 100;
const mostLines = 500;

/** Joins a room's call with one connection per peer, driven by the room's list and signals. */
export function createCall(wiring: Wiring): Call {
  /** Page id; survives socket reconnects. */
  const page = crypto.randomUUID();
  const lines = new Map<string, Line>();
  const pages = new Map<string, string>();
  /** Connection end offered to each peer that hasn't answered yet. */
  const greeted = new Map<string, string>();
  const listeners = new Set<() => void>();
  let peers: readonly Peer[] = [];
  let waiting: { from: string; signal: unknown }[] = [];
  let sources: Sources = { microphone: null, camera: null, screen: null };
  let doing: Doing = idle;
  let chat: readonly ChatLine[] = [];
  let speaker: Speaker | null = null;
  let lastLine = 0;
  let left = false;
  let view: CallView = { partners: [], chat, speaker: null, quality: 'good' };

  const draw = () => {
    if (left) return;
    for (const { link } of lines.values()) link.share(lines.size - 1);
    const known: Partner[] = [...lines].map(
      ([
        id,
        {
          link,
          peer,
          doing: theirs,
          grade: { quality },
        },
      ]) => ({
        id,
        peer,
        state: link.state(),
        faces: link.faces,
        screen: link.screen,
        doing: theirs,
        quality,
      }),
    );
    const coming = peers
      .filter(({ peerId, personId }) => !pages.has(peerId) && !isBack(personId))
      .map((peer): Partner => ({
        id: peer.peerId,
        peer,
        state: 'connecting',
        faces: null,
        screen: null,
        doing: idle,
        quality: 'good',
      }));
    view = {
      partners: [...known, ...coming],
      chat,
      speaker: speaker?.id ?? null,
      quality: worstOf(known.filter(({ state }) => state === 'connected').map(({ quality }) => quality)),
    };
    for (const listener of listeners) listener();
  };

  /** Probably the same person reconnecting after a socket loss, with their connection still open. */
  const isBack = (personId: string) =>
    [...lines.values()].some((line) => line.absentSince !== null && line.peer.personId === personId);

  const open = (id: string, peer: Peer, end?: string): Line => {
    const link = createPeerLink({
      own: page,
      other: id,
      end,
      iceServers: wiring.iceServers,
      transport: wiring.transport,
      sources,
      signal: (signal) => {
        const line = lines.get(id);
        if (line) wiring.signal(line.peer.peerId, signal);
      },
      onAnew: (signal) => {
        const line = lines.get(id);
        if (!line) return;
        renew(id, line).link.take(signal);
      },
      onWord: (word) => {
        const line = lines.get(id);
        if (!line) return;
        if (word.kind === 'bye') {
          drop(id, line);
        } else if (word.kind === 'chat') {
          write({ name: line.peer.name, text: word.text });
          wiring.onHappening({ kind: 'said', name: line.peer.name, text: word.text });
        } else {
          const before = line.doing;
          line.doing = word.doing;
          if (word.doing.phone && !before.phone) wiring.onHappening({ kind: 'phone', name: line.peer.name });
          if (word.doing.screen && !before.screen)
            wiring.onHappening({ kind: 'sharing', name: line.peer.name });
        }
        draw();
      },
      onOpen: () => link.say({ kind: 'doing', doing }),
      onChange: () => {
        const line = lines.get(id);
        if (line && !line.wasUp && link.state() === 'connected') {
          line.wasUp = true;
          wiring.onHappening({ kind: 'joined', name: line.peer.name });
        }
        draw();
      },
    });
    const line: Line = {
      link,
      peer,
      doing: lines.get(id)?.doing ?? idle,
      grade: { quality: 'good', streak: 0 },
      absentSince: null,
      wasUp: lines.get(id)?.wasUp ?? false,
    };
    lines.set(id, line);
    return line;
  };

  const renew = (id: string, { link, peer }: Line): Line => {
    const line = open(id, peer);
    link.close();
    return line;
  };

  const drop = (id: string, { link, peer, wasUp }: Line) => {
    lines.delete(id);
    link.close();
    if (wasUp) wiring.onHappening({ kind: 'left', name: peer.name });
  };

  const write = (line: Omit<ChatLine, 'id'>) => {
    lastLine += 1;
    chat = [...chat, { id: lastLine, ...line }].slice(-mostLines);
  };

  const take = (peer: Peer, value: unknown) => {
    const signal = readSignal(value);
    if (!signal || signal.page === page) return;
    const known = lines.get(signal.page);
    // Prevents taking over another person's connection.
    if (known && known.peer.personId !== peer.personId) return;
    pages.set(peer.peerId, signal.page);
    const line = known ?? open(signal.page, peer, greeted.get(peer.peerId));
    greeted.delete(peer.peerId);
    if (line.peer.peerId !== peer.peerId) line.peer = peer;
    line.absentSince = null;
    if (known && signal.asks) known.link.greet(true);
    else line.link.take(signal);
    draw();
  };

  const greetAll = () => {
    for (const { peerId } of peers) {
      const id = pages.get(peerId);
      const line = id === undefined ? undefined : lines.get(id);
      if (line) {
        if (line.link.state() !== 'connected') line.link.greet(true);
      } else {
        // Only the peer's socket is known; the answer creates the connection.
        const end = greeted.get(peerId) ?? crypto.randomUUID();
        greeted.set(peerId, end);
        wiring.signal(peerId, { page, end, to: null, greets: true, asks: true });
      }
    }
  };

  const tend = () => {
    const now = performance.now();
    for (const [id, line] of lines) {
      const { link, absentSince } = line;
      const downSince = link.downSince();
      if (
        isGivenUp({
          absentFor: absentSince === null ? null : now - absentSince,
          dead: link.state() === 'closed',
        })
      ) {
        drop(id, line);
        draw();
      } else if (
        isMadeAnew({
          downFor: downSince === null ? null : now - downSince,
          present: absentSince === null,
        })
      ) {
        renew(id, line).link.greet(true);
        draw();
      }
    }
  };

  let listening = false;
  const listen = async () => {
    if (listening) return;
    listening = true;
    try {
      const heard = await Promise.all(
        [...lines].map(async ([id, { link }]) => [id, await link.level()] as const),
      );
      const levels = new Map(heard.filter(([id]) => lines.has(id)));
      levels.set('self', doing.microphone ? wiring.ownLevel() : 0);
      const before = speaker?.id;
      speaker = whoSpeaks(speaker, levels, performance.now());
      if (speaker?.id !== before) draw();
    } catch {
      // A connection closed meanwhile.
    } finally {
      listening = false;
    }
  };

  const measure = async () => {
    for (const line of lines.values()) {
      if (line.link.state() !== 'connected') continue;
      const { quality } = line.grade;
      try {
        line.grade = grade(line.grade, await line.link.measure());
      } catch {
        // The connection closed meanwhile.
      }
      if (line.grade.quality !== quality) draw();
    }
  };

  const timers = [
    setInterval(() => void listen(), levelsEvery),
    setInterval(() => void measure(), measuresEvery),
    setInterval(() => {
      tend();
      greetAll();
    }, greetsEvery),
  ];

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    view: () => view,
    roomIs(room, ownId) {
      if (left) return;
      peers = room.peers.filter((peer) => !peer.waiting && peer.peerId !== ownId);
      const there = new Map(peers.map((peer) => [peer.peerId, peer]));
      for (const peerId of pages.keys()) if (!there.has(peerId)) pages.delete(peerId);
      for (const peerId of greeted.keys()) if (!there.has(peerId)) greeted.delete(peerId);
      for (const line of lines.values()) {
        const peer = there.get(line.peer.peerId);
        if (peer) line.peer = peer;
        line.absentSince = peer ? null : (line.absentSince ?? performance.now());
      }
      const early = waiting;
      waiting = [];
      for (const { from, signal } of early) {
        const peer = there.get(from);
        if (peer) take(peer, signal);
      }
      tend();
      greetAll();
      draw();
    },
    hear(from, signal) {
      if (left) return;
      const peer = peers.find(({ peerId }) => peerId === from);
      if (peer) {
        take(peer, signal);
      } else if (waiting.length < mostWaiting) {
        waiting.push({ from, signal });
        wiring.askRoom();
      }
    },
    send(next, nowDoing) {
      sources = next;
      doing = nowDoing;
      for (const { link } of lines.values()) {
        link.send(sources);
        link.say({ kind: 'doing', doing });
      }
    },
    say(text) {
      const line = cleanLine(text);
      if (!line) return;
      for (const { link } of lines.values()) link.say({ kind: 'chat', text: line });
      write({ name: null, text: line });
      draw();
    },
    leave() {
      if (left) return;
      left = true;
      for (const timer of timers) clearInterval(timer);
      for (const { link } of lines.values()) {
        link.say({ kind: 'bye' });
        link.close();
      }
      lines.clear();
    },
  };
}
