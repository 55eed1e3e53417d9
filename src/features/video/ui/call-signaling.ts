import type { Peer, Room } from '../contract.ts';
import type { CallConnections } from './call-connections.ts';
import { readSignal, type Signal } from './call-rules.ts';

/** From senders not yet in the list. */
const maxEarlySignals = 100;

/** Finds the pages of the room's peers over the server, and passes their signals to their connections. */
export function createSignaling({
  page,
  connections,
  signal,
  requestRoom,
  onChange,
}: {
  page: string;
  connections: CallConnections;
  signal: (to: string, signal: Signal) => void;
  requestRoom: () => void;
  onChange: () => void;
}) {
  /** Page ids by peer id; peers are sockets, which a page replaces after a lost connection. */
  const pages = new Map<string, string>();
  /** Connection end offered to each peer that hasn't answered yet. */
  const offeredEnds = new Map<string, string>();
  let peers: readonly Peer[] = [];
  let early: { from: string; value: unknown }[] = [];

  const apply = (peer: Peer, value: unknown) => {
    const incoming = readSignal(value);
    if (!incoming || incoming.page === page) return;
    const known = connections.all.get(incoming.page);
    // Prevents taking over another person's connection.
    if (known && known.peer.personId !== peer.personId) return;
    pages.set(peer.peerId, incoming.page);
    const connection = known ?? connections.open(incoming.page, peer, offeredEnds.get(peer.peerId));
    offeredEnds.delete(peer.peerId);
    if (connection.peer.peerId !== peer.peerId) connection.peer = peer;
    connection.absentSince = null;
    if (known && incoming.asks) known.link.greet(true);
    else connection.link.receive(incoming);
    onChange();
  };

  return {
    /** Peers in the room whose page is unknown. */
    unpairedPeers: () => peers.filter(({ peerId }) => !pages.has(peerId)),
    updatePeers(room: Room, ownId: string) {
      peers = room.peers.filter((peer) => !peer.waiting && peer.peerId !== ownId);
      const present = new Map(peers.map((peer) => [peer.peerId, peer]));
      for (const peerId of pages.keys()) if (!present.has(peerId)) pages.delete(peerId);
      for (const peerId of offeredEnds.keys()) if (!present.has(peerId)) offeredEnds.delete(peerId);
      for (const connection of connections.all.values()) {
        const peer = present.get(connection.peer.peerId);
        if (peer) connection.peer = peer;
        connection.absentSince = peer ? null : (connection.absentSince ?? performance.now());
      }
      const queued = early;
      early = [];
      for (const { from, value } of queued) {
        const peer = present.get(from);
        if (peer) apply(peer, value);
      }
    },
    /** Queues signals of senders not listed yet. */
    receive(from: string, value: unknown) {
      const peer = peers.find(({ peerId }) => peerId === from);
      if (peer) {
        apply(peer, value);
      } else if (early.length < maxEarlySignals) {
        early.push({ from, value });
        requestRoom();
      }
    },
    /** Greets every peer that isn't connected. */
    greetPeers() {
      for (const { peerId } of peers) {
        const id = pages.get(peerId);
        const connection = id === undefined ? undefined : connections.all.get(id);
        if (connection) {
          if (connection.link.state() !== 'connected') connection.link.greet(true);
        } else {
          // Only the peer's socket is known; the answer creates the connection.
          const end = offeredEnds.get(peerId) ?? crypto.randomUUID();
          offeredEnds.set(peerId, end);
          signal(peerId, { page, end, to: null, greets: true, asks: true });
        }
      }
    },
  };
}
