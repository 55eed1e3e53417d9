import type { IceServers } from '../contract.ts';
import { isPolite, meeting, readWord, type Measure, type Signal, type Word } from './call-rules.ts';

export type LinkState = 'connecting' | 'connected' | 'reconnecting' | 'closed';

export interface Sources {
  microphone: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
}

export interface PeerLink {
  faces: MediaStream;
  screen: MediaStream;
  state(): LinkState;
  /** In milliseconds of `performance.now`; null while connected. */
  downSince(): number | null;
  /** The other browser replies if `greets`. */
  greet(greets: boolean): void;
  take(signal: Signal): void;
  /** Replaces the sent tracks without renegotiation. */
  send(sources: Sources): void;
  say(word: Word): void;
  /** Number of connections sharing the bandwidth. */
  share(others: number): void;
  /** Mean level received since the last call, from 0 to 1. */
  level(): Promise<number>;
  measure(): Promise<Measure>;
  close(): void;
}

interface Wiring {
  /** Page ids. */
  own: string;
  other: string;
  /** Set if already announced to the other page. */
  end?: string | undefined;
  iceServers: IceServers;
  transport: RTCIceTransportPolicy;
  sources: Sources;
  signal(signal: Signal): void;
  /** The other page restarted: replace this connection. */
  onAnew(signal: Signal): void;
  onWord(word: Word): void;
  onChange(): void;
  onOpen(): void;
}

/** Short dropouts recover by themselves; after this many milliseconds, ICE restarts. */
const stutter = 2_500;
/** Milliseconds over which ICE candidates are batched. */
const gather = 60;
/** Camera bitrate limit (bits per second) and downscaling, by number of other connections. */
const rations = [
  { most: 1_800_000, smaller: 1 },
  { most: 900_000, smaller: 1 },
  { most: 600_000, smaller: 1.5 },
  { most: 400_000, smaller: 2 },
  { most: 300_000, smaller: 2 },
] as const;
/** Transceiver order in every offer. */
const kinds = ['audio', 'video', 'video'] as const;

/**
 * Wraps one `RTCPeerConnection` with perfect negotiation (WebRTC 1.0, section 10.7). The impolite peer offers
 * transceivers for voice, camera and screen once; later tracks only replace senders, so only ICE restarts renegotiate.
 */
export function createPeerLink(wiring: Wiring): PeerLink {
  const polite = isPolite(wiring.own, wiring.other);
  const connection = new RTCPeerConnection({
    iceServers: wiring.iceServers,
    iceTransportPolicy: wiring.transport,
    bundlePolicy: 'max-bundle',
  });
  const faces = new MediaStream();
  const screen = new MediaStream();
  const ends = { own: wiring.end ?? crypto.randomUUID(), other: null as string | null, begun: false };
  let { sources } = wiring;
  let channel: RTCDataChannel | null = null;
  let bound = false;
  let makingOffer = false;
  let settingAnswer = false;
  let ignoringOffer = false;
  let everConnected = false;
  let closed = false;
  let downSince: number | null = performance.now();
  let mending: ReturnType<typeof setTimeout> | undefined;
  let sending: ReturnType<typeof setTimeout> | undefined;
  let found: RTCIceCandidateInit[] = [];
  let queue = Promise.resolve();
  let others = 0;
  let heard = { energy: 0, seconds: 0 };
  let counted = { received: 0, lost: 0 };

  const post = (part: Partial<Signal>) =>
    wiring.signal({ page: wiring.own, end: ends.own, to: ends.other, ...part });

  const bind = () => {
    bound = true;
    const faceOf = new MediaStream();
    const screenOf = new MediaStream();
    connection.getTransceivers().forEach((transceiver, place) => {
      const ofScreen = place === 2;
      transceiver.direction = 'sendrecv';
      transceiver.sender.setStreams(ofScreen ? screenOf : faceOf);
      (ofScreen ? screen : faces).addTrack(transceiver.receiver.track);
    });
    channel = connection.createDataChannel('room', { negotiated: true, id: 0 });
    channel.addEventListener('open', () => {
      wiring.onOpen();
      wiring.onChange();
    });
    channel.addEventListener('message', ({ data }) => {
      const word = readWord(data);
      if (word) wiring.onWord(word);
    });
    channel.addEventListener('close', () => {
      if (closed) return;
      closed = true;
      downSince ??= performance.now();
      wiring.onChange();
    });
  };

  const fill = () => {
    if (!bound) return;
    const tracks = [sources.microphone, sources.camera, sources.screen];
    connection.getTransceivers().forEach(({ sender }, place) => {
      const track = tracks[place] ?? null;
      // Closing connections reject new tracks.
      if (sender.track !== track) sender.replaceTrack(track).catch(() => undefined);
    });
  };

  const begin = () => {
    if (polite || bound) return;
    for (const kind of kinds) connection.addTransceiver(kind);
    bind();
    fill();
  };

  const takeDescription = async (description: RTCSessionDescriptionInit) => {
    const ready = !makingOffer && (connection.signalingState === 'stable' || settingAnswer);
    ignoringOffer = !polite && description.type === 'offer' && !ready;
    if (ignoringOffer) return;
    // Duplicate answer.
    if (description.type === 'answer' && connection.signalingState !== 'have-local-offer') return;
    settingAnswer = description.type === 'answer';
    try {
      await connection.setRemoteDescription(description);
    } finally {
      settingAnswer = false;
    }
    ends.begun = true;
    if (description.type !== 'offer') return;
    if (!bound) bind();
    fill();
    await connection.setLocalDescription();
    post({ description: connection.localDescription!.toJSON() });
  };

  const takeCandidates = async (candidates: RTCIceCandidateInit[]) => {
    for (const candidate of candidates) {
      try {
        await connection.addIceCandidate(candidate);
      } catch {
        // Belongs to an ignored offer or an unsupported network type.
      }
    }
  };

  const follow = async (
    before: Promise<void>,
    description: RTCSessionDescriptionInit | undefined,
    candidates: RTCIceCandidateInit[] | undefined,
  ) => {
    await before;
    try {
      if (description) await takeDescription(description);
      if (candidates) await takeCandidates(candidates);
    } catch {
      // The connection is replaced after a while.
    }
  };

  const sendFound = () => {
    clearTimeout(sending);
    sending = undefined;
    if (found.length === 0 || ends.other === null) return;
    post({ candidates: found });
    found = [];
  };

  /** Limits the camera bitrate: every peer gets a copy, and the total must fit a typical connection. */
  const ration = async () => {
    const sender = connection.getTransceivers()[1]?.sender;
    const parameters = sender?.getParameters();
    const encoding = parameters?.encodings[0];
    if (!sender || !parameters || !encoding) return;
    const { most, smaller } = rations[Math.min(others, rations.length - 1)]!;
    if (encoding.maxBitrate === most) return;
    encoding.maxBitrate = most;
    encoding.scaleResolutionDownBy = smaller;
    // Unsupported: the browser adapts by itself.
    await sender.setParameters(parameters).catch(() => undefined);
  };

  const isUp = () => connection.connectionState === 'connected' && !closed;
  const mend = () => {
    clearTimeout(mending);
    mending = undefined;
    // Only the impolite end restarts ICE. If both did, one would roll back its offer, after which Chromium decodes the
    // video but doesn't render it. The polite end triggers a restart by greeting.
    if (polite || isUp() || !everConnected || connection.signalingState === 'closed') return;
    connection.restartIce();
  };

  connection.addEventListener('negotiationneeded', () => {
    void (async () => {
      try {
        makingOffer = true;
        await connection.setLocalDescription();
        if (connection.localDescription) post({ description: connection.localDescription.toJSON() });
      } catch {
        // Closed meanwhile, or the other end's offer came first and gets an answer instead.
      } finally {
        makingOffer = false;
      }
    })();
  });
  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (!candidate) return;
    found.push(candidate.toJSON());
    sending ??= setTimeout(sendFound, gather);
  });
  connection.addEventListener('connectionstatechange', () => {
    const state = connection.connectionState;
    if (isUp()) {
      everConnected = true;
      void ration();
      downSince = null;
      clearTimeout(mending);
      mending = undefined;
    } else {
      downSince ??= performance.now();
      if (state === 'failed') mend();
      else if (state === 'disconnected') mending ??= setTimeout(mend, stutter);
    }
    wiring.onChange();
  });

  return {
    faces,
    screen,
    state() {
      if (closed) return 'closed';
      if (isUp()) return 'connected';
      return everConnected ? 'reconnecting' : 'connecting';
    },
    downSince: () => downSince,
    greet: (greets) => post({ to: null, greets }),
    take(signal) {
      const means = meeting(ends, signal.end);
      if (means === 'anew') {
        wiring.onAnew(signal);
        return;
      }
      ends.other = signal.end;
      if (means === 'paired') begin();
      // Resends signals that the other end may have missed.
      if (signal.to === null) {
        if (signal.greets) post({ to: null });
        if (connection.signalingState === 'have-local-offer')
          post({ description: connection.localDescription!.toJSON() });
        sendFound();
        if (!isUp()) mend();
      }
      if (signal.to !== ends.own) return;
      const { description, candidates } = signal;
      queue = follow(queue, description, candidates);
    },
    send(next) {
      sources = next;
      fill();
    },
    say(word) {
      if (channel?.readyState === 'open') channel.send(JSON.stringify(word));
    },
    share(count) {
      others = count;
      if (isUp()) void ration();
    },
    async level() {
      const report = await connection.getTransceivers()[0]?.receiver.getStats();
      const counts = report ? [...(report as ReadonlyMap<string, RTCStats>).values()] : [];
      const voice = counts.find((one): one is RTCInboundRtpStreamStats => one.type === 'inbound-rtp');
      if (voice?.totalAudioEnergy === undefined) return 0;
      // Averages since the last call: the latest packet alone would miss short sounds.
      const { energy, seconds } = heard;
      heard = { energy: voice.totalAudioEnergy, seconds: voice.totalSamplesDuration ?? 0 };
      const passed = heard.seconds - seconds;
      return passed > 0 ? Math.sqrt(Math.max(0, heard.energy - energy) / passed) : 0;
    },
    async measure() {
      const report = (await connection.getStats()) as ReadonlyMap<string, RTCStats>;
      const counts = [...report.values()];
      const ways = counts.filter((one): one is RTCIceCandidatePairStats => one.type === 'candidate-pair');
      const way = ways.find(({ state, nominated }) => nominated && state === 'succeeded');
      const streams = counts.filter((one): one is RTCInboundRtpStreamStats => one.type === 'inbound-rtp');
      const received = sum(streams.map(({ packetsReceived }) => packetsReceived));
      const lost = sum(streams.map(({ packetsLost }) => packetsLost));
      const came = received - counted.received;
      const missed = Math.max(0, lost - counted.lost);
      counted = { received, lost };
      const roundTrip = way?.currentRoundTripTime;
      return {
        roundTrip: roundTrip === undefined ? null : roundTrip * 1_000,
        lost: came + missed > 0 ? missed / (came + missed) : null,
      };
    },
    close() {
      closed = true;
      clearTimeout(mending);
      clearTimeout(sending);
      connection.close();
    },
  };
}

function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, one) => total + (one ?? 0), 0);
}
