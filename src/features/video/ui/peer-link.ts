import type { IceServers } from '../contract.ts';
import {
  isPolite,
  meeting,
  type Measure,
  type Signal,
  type PeerMessage,
  parsePeerMessage,
} from './call-rules.ts';
import { createConnectivity, type LinkState } from './peer-connectivity.ts';
import { createPeerMedia, limitCamera, type LocalTracks, microphoneOf } from './peer-media.ts';
import { createNegotiation } from './peer-negotiation.ts';
import {
  audioTotalsOf,
  levelBetween,
  lossBetween,
  packetTotalsOf,
  roundTripOf,
  type AudioTotals,
  type PacketTotals,
} from './peer-stats.ts';

export interface PeerLink {
  /** Their microphone and camera. */
  cameraStream: MediaStream;
  screenStream: MediaStream;
  state(): LinkState;
  /** In milliseconds of `performance.now`; null while connected. */
  downSince(): number | null;
  /** The other browser replies if `greets`. */
  greet(greets: boolean): void;
  receive(signal: Signal): void;
  /** Replaces the sent tracks without renegotiation. */
  sendTracks(tracks: LocalTracks): void;
  sendMessage(message: PeerMessage): void;
  /** Number of other connections sharing the bandwidth. */
  shareBandwidth(others: number): void;
  /** Mean since the last call, 0 to 1. */
  audioLevel(): Promise<number>;
  measure(): Promise<Measure>;
  close(): void;
}

interface PeerLinkOptions {
  /** Page ids. */
  own: string;
  other: string;
  /** Set if already announced to the other page. */
  end?: string | undefined;
  iceServers: IceServers;
  transport: RTCIceTransportPolicy;
  tracks: LocalTracks;
  signal(signal: Signal): void;
  /** The other page restarted: replace this connection. */
  onRestart(signal: Signal): void;
  onMessage(message: PeerMessage): void;
  onChange(): void;
  onOpen(): void;
}

/**
 * Wraps one `RTCPeerConnection`. The impolite peer offers transceivers for voice, camera and screen once; later tracks
 * only replace senders, so only ICE restarts renegotiate.
 */
export function createPeerLink(options: PeerLinkOptions): PeerLink {
  const polite = isPolite(options.own, options.other);
  const connection = new RTCPeerConnection({
    iceServers: options.iceServers,
    iceTransportPolicy: options.transport,
    bundlePolicy: 'max-bundle',
  });
  const ends = { own: options.end ?? crypto.randomUUID(), other: null as string | null, begun: false };
  let others = 0;

  const signal = (part: Partial<Signal>) =>
    options.signal({ page: options.own, end: ends.own, to: ends.other, ...part });

  const media = createPeerMedia(connection, options.tracks);
  const meter = createPeerMeter(connection);
  const connectivity = createConnectivity({
    connection,
    polite,
    onConnected: () => void limitCamera(connection, others),
    onChange: options.onChange,
  });
  const messages = createPeerMessages({
    connection,
    onOpen: () => {
      options.onOpen();
      options.onChange();
    },
    onMessage: options.onMessage,
    onClose: connectivity.closedRemotely,
  });
  const candidates = createCandidateBatch({
    connection,
    hasRecipient: () => ends.other !== null,
    signal: (batch) => signal({ candidates: batch }),
  });

  const bindMedia = () => {
    if (!media.isBound()) {
      media.bind();
      messages.open();
    }
    media.replaceTracks();
  };
  const negotiation = createNegotiation({
    connection,
    polite,
    signal,
    onRemoteDescription: (type) => {
      ends.begun = true;
      if (type === 'offer') bindMedia();
    },
  });

  /** Setting up the transceivers makes the first offer. */
  const begin = () => {
    if (polite || media.isBound()) return;
    media.addTransceivers();
    bindMedia();
  };

  /** Resends what the other end may have missed. */
  const answerGreeting = ({ greets }: Signal) => {
    if (greets) signal({ to: null });
    negotiation.resendOffer();
    candidates.send();
    if (!connectivity.isConnected()) connectivity.restartIce();
  };

  return {
    cameraStream: media.cameraStream,
    screenStream: media.screenStream,
    state: connectivity.state,
    downSince: connectivity.downSince,
    greet: (greets) => signal({ to: null, greets }),
    receive(incoming) {
      const sender = meeting(ends, incoming.end);
      if (sender === 'restarted') {
        options.onRestart(incoming);
        return;
      }
      ends.other = incoming.end;
      if (sender === 'paired') begin();
      if (incoming.to === null) answerGreeting(incoming);
      if (incoming.to === ends.own) negotiation.receive(incoming);
    },
    sendTracks: media.send,
    sendMessage: messages.send,
    shareBandwidth(count) {
      others = count;
      if (connectivity.isConnected()) void limitCamera(connection, others);
    },
    audioLevel: meter.audioLevel,
    measure: meter.measure,
    close() {
      connectivity.close();
      candidates.stop();
      connection.close();
    },
  };
}

/** Measures one connection. Each value covers the time since the previous call. */
function createPeerMeter(connection: RTCPeerConnection) {
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

/** Messages between both pages. */
function createPeerMessages({
  connection,
  onOpen,
  onMessage,
  onClose,
}: {
  connection: RTCPeerConnection;
  onOpen: () => void;
  onMessage: (message: PeerMessage) => void;
  onClose: () => void;
}) {
  let channel: RTCDataChannel | null = null;
  return {
    open() {
      channel = connection.createDataChannel('room', { negotiated: true, id: 0 });
      channel.addEventListener('open', onOpen);
      channel.addEventListener('message', ({ data }) => {
        const message = parsePeerMessage(data);
        if (message) onMessage(message);
      });
      channel.addEventListener('close', onClose);
    },
    /** Drops messages while the channel isn't open. */
    send(message: PeerMessage) {
      if (channel?.readyState === 'open') channel.send(JSON.stringify(message));
    },
  };
}

/** Milliseconds over which ICE candidates are batched. */
const batchTime = 60;

/** Sends local ICE candidates in batches. Until there is a recipient, they are held back for the next `send`. */
function createCandidateBatch({
  connection,
  hasRecipient,
  signal,
}: {
  connection: RTCPeerConnection;
  hasRecipient: () => boolean;
  signal: (candidates: RTCIceCandidateInit[]) => void;
}) {
  let candidates: RTCIceCandidateInit[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (candidates.length === 0 || !hasRecipient()) return;
    signal(candidates);
    candidates = [];
  };

  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (!candidate) return;
    candidates.push(candidate.toJSON());
    timer ??= setTimeout(send, batchTime);
  });

  return { send, stop: () => clearTimeout(timer) };
}
