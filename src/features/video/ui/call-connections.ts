import type { IceServers, Peer } from '../contract.ts';
import { eventsBetween, type CallEvent } from './call-events.ts';
import type { PeerState, Grade, Signal, PeerMessage } from './call-rules.ts';
import { createPeerLink, type PeerLink } from './peer-link.ts';
import type { LocalTracks } from './peer-media.ts';

/** A peer connection and its person. */
export interface CallConnection {
  link: PeerLink;
  peer: Peer;
  doing: PeerState;
  grade: Grade;
  /** Since when the peer is missing from the room's list, in milliseconds of `performance.now`. */
  absentSince: number | null;
  everConnected: boolean;
}

/** Sent to every other page. */
export interface LocalState {
  tracks: LocalTracks;
  doing: PeerState;
}

export const idle: PeerState = { microphone: false, camera: false, screen: false, phone: false };

export type CallConnections = ReturnType<typeof createConnections>;

/** The connections of a call by page id. */
export function createConnections({
  page,
  iceServers,
  transport,
  local,
  signal,
  onChat,
  onEvent,
  onChange,
}: {
  page: string;
  iceServers: IceServers;
  transport: RTCIceTransportPolicy;
  local: () => LocalState;
  signal: (to: string, signal: Signal) => void;
  onChat: (name: string, text: string) => void;
  onEvent: (event: CallEvent) => void;
  onChange: () => void;
}) {
  const connections = new Map<string, CallConnection>();

  const open = (id: string, peer: Peer, end?: string): CallConnection => {
    const { tracks } = local();
    const link = createPeerLink({
      own: page,
      other: id,
      end,
      iceServers,
      transport,
      tracks,
      signal: (outgoing) => {
        const connection = connections.get(id);
        if (connection) signal(connection.peer.peerId, outgoing);
      },
      onRestart: (incoming) => {
        const connection = connections.get(id);
        if (connection) replace(id, connection).link.receive(incoming);
      },
      onMessage: (message) => receive(id, message),
      onOpen: () => link.sendMessage({ kind: 'doing', doing: local().doing }),
      onChange: () => {
        const connection = connections.get(id);
        if (connection && !connection.everConnected && link.state() === 'connected') {
          connection.everConnected = true;
          onEvent({ kind: 'joined', name: connection.peer.name });
        }
        onChange();
      },
    });
    const before = connections.get(id);
    const connection: CallConnection = {
      link,
      peer,
      doing: before?.doing ?? idle,
      grade: { quality: 'good', streak: 0 },
      absentSince: null,
      everConnected: before?.everConnected ?? false,
    };
    connections.set(id, connection);
    return connection;
  };

  const receive = (id: string, message: PeerMessage) => {
    const connection = connections.get(id);
    if (!connection) return;
    const { name } = connection.peer;
    if (message.kind === 'bye') {
      drop(id, connection);
    } else if (message.kind === 'chat') {
      onChat(name, message.text);
    } else {
      const before = connection.doing;
      connection.doing = message.doing;
      for (const event of eventsBetween(before, message.doing, name)) onEvent(event);
    }
    onChange();
  };

  const replace = (id: string, { link, peer }: CallConnection): CallConnection => {
    const connection = open(id, peer);
    link.close();
    return connection;
  };

  const drop = (id: string, { link, peer, everConnected }: CallConnection) => {
    connections.delete(id);
    link.close();
    if (everConnected) onEvent({ kind: 'left', name: peer.name });
  };

  return {
    all: connections as ReadonlyMap<string, CallConnection>,
    open,
    replace,
    drop,
    send(message: PeerMessage) {
      for (const { link } of connections.values()) link.sendMessage(message);
    },
    sendLocalState() {
      const { tracks, doing } = local();
      for (const { link } of connections.values()) {
        link.sendTracks(tracks);
        link.sendMessage({ kind: 'doing', doing });
      }
    },
    shareBandwidth() {
      for (const { link } of connections.values()) link.shareBandwidth(connections.size - 1);
    },
    close() {
      for (const { link } of connections.values()) {
        link.sendMessage({ kind: 'bye' });
        link.close();
      }
      connections.clear();
    },
  };
}
