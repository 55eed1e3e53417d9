import type { IceServers } from '../contract.ts';
import { isPolite, meeting, readWord, type Measure, type Signal, type Word } from './call-rules.ts';

/** How far a line to another browser stands. */
export type LinkState = 'connecting' | 'connected' | 'reconnecting' | 'closed';

/** What is sent to another browser: a track each, or nothing. */
export interface Sources {
  microphone: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
}

/** A line to one other browser. */
export interface PeerLink {
  /** What comes from it: voice and face, and their screen. */
  faces: MediaStream;
  screen: MediaStream;
  state(): LinkState;
  /** Since when it has been down, in milliseconds of `performance.now`; null while it stands. */
  downSince(): number | null;
  /** Says hello; the other answers if `greets`. */
  greet(greets: boolean): void;
  /** Takes in a signal of the other browser. */
  take(signal: Signal): void;
  /** Sends these from now on; nothing has to be agreed on anew. */
  send(sources: Sources): void;
  say(word: Word): void;
  /** Shares the line with so many others. */
  share(others: number): void;
  /** How loud the other one has been since the last call, from 0 to 1. */
  level(): Promise<number>;
  measure(): Promise<Measure>;
  close(): void;
}

interface Wiring {
  /** The two pages' names. */
  own: string;
  other: string;
  /** This end of the line, if the other one has been told of it already. */
  end?: string | undefined;
  iceServers: IceServers;
  transport: RTCIceTransportPolicy;
  sources: Sources;
  /** Hands a signal to the server for the other browser. */
  signal(signal: Signal): void;
  /** The other one began anew: this line is to be replaced, and the new one takes in the signal. */
  onAnew(signal: Signal): void;
  onWord(word: Word): void;
  onChange(): void;
  /** The words' channel stands. */
  onOpen(): void;
}

/** A line that only stutters mends itself; after so many milliseconds another way is looked for. */
const stutter = 2_500;
/** Candidates are sent together that were found within so many milliseconds. */
const gather = 60;
/** How much a face may take, in bits per second, and how much smaller it is sent, by how many others there are. */
const rations = [
  { most: 1_800_000, smaller: 1 },
  { most: 900_000, smaller: 1 },
  { most: 600_000, smaller: 1.5 },
  { most: 400_000, smaller: 2 },
  { most: 300_000, smaller: 2 },
] as const;
/** In the order in which they stand in every offer. */
const kinds = ['audio', 'video', 'video'] as const;

/**
 * One RTCPeerConnection with the perfect negotiation of the WebRTC specification (1.0, section 10.7). The impolite
 * side offers a place for voice, face and screen once; from then on tracks only take their places, so that nothing but a
 * new way (an ICE restart) has to be agreed on again.
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

  /** Gives the three places their tracks, and takes what comes in them. */
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
      // A line that is being closed takes no track any more.
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
    // An answer that came twice.
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
        // One of an offer that was ignored, or of a network that this browser doesn't speak.
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
      // What can't be agreed on comes to nothing, and the line is made anew in a while.
    }
  };

  const sendFound = () => {
    clearTimeout(sending);
    sending = undefined;
    if (found.length === 0 || ends.other === null) return;
    post({ candidates: found });
    found = [];
  };

  /** Each face goes to everybody: with many, each gets less, and the whole stays within a usual line. */
  const ration = async () => {
    const sender = connection.getTransceivers()[1]?.sender;
    const parameters = sender?.getParameters();
    const encoding = parameters?.encodings[0];
    if (!sender || !parameters || !encoding) return;
    const { most, smaller } = rations[Math.min(others, rations.length - 1)]!;
    if (encoding.maxBitrate === most) return;
    encoding.maxBitrate = most;
    encoding.scaleResolutionDownBy = smaller;
    // Where a browser can't, it finds its own measure.
    await sender.setParameters(parameters).catch(() => undefined);
  };

  const isUp = () => connection.connectionState === 'connected' && !closed;
  const mend = () => {
    clearTimeout(mending);
    mending = undefined;
    // One end alone looks: where both do, one of them has to take its offer back, after which Chromium decodes what
    // comes and shows nothing of it. The other end's greetings ask for it.
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
        // Closed meanwhile; or the other's offer came first, and is answered instead.
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
      // What was said while the other couldn't hear is said again.
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
      // The mean since last time: one packet's own level would miss a short sound between two looks.
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
