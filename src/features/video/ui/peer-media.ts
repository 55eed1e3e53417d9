import { cameraLimitOf } from './peer-rules.ts';

export interface LocalTracks {
  microphone: MediaStreamTrack | null;
  camera: MediaStreamTrack | null;
  screen: MediaStreamTrack | null;
}

/** Transceiver order in every offer: microphone, camera, screen. */
const kinds = ['audio', 'video', 'video'] as const;
const cameraIndex = 1;
const screenIndex = 2;

export function microphoneOf(connection: RTCPeerConnection): RTCRtpTransceiver | undefined {
  return connection.getTransceivers()[0];
}

/** The connection's tracks in both directions, on three transceivers that are negotiated once. */
export function createPeerMedia(connection: RTCPeerConnection, initial: LocalTracks) {
  /** Their microphone and camera. */
  const cameraStream = new MediaStream();
  const screenStream = new MediaStream();
  let tracks = initial;
  let bound = false;

  const replaceTracks = () => {
    if (!bound) return;
    const inOrder = [tracks.microphone, tracks.camera, tracks.screen];
    connection.getTransceivers().forEach(({ sender }, index) => {
      const track = inOrder[index] ?? null;
      // Closing connections reject new tracks.
      if (sender.track !== track) sender.replaceTrack(track).catch(() => undefined);
    });
  };

  return {
    cameraStream,
    screenStream,
    isBound: () => bound,
    addTransceivers() {
      for (const kind of kinds) connection.addTransceiver(kind);
    },
    /** Requires an offer's transceivers. */
    bind() {
      bound = true;
      const ownCamera = new MediaStream();
      const ownScreen = new MediaStream();
      connection.getTransceivers().forEach((transceiver, index) => {
        const isScreen = index === screenIndex;
        transceiver.direction = 'sendrecv';
        transceiver.sender.setStreams(isScreen ? ownScreen : ownCamera);
        (isScreen ? screenStream : cameraStream).addTrack(transceiver.receiver.track);
      });
    },
    replaceTracks,
    /** Replaces the sent tracks without renegotiation. */
    send(next: LocalTracks) {
      tracks = next;
      replaceTracks();
    },
  };
}

/** Limits the camera by the number of others. */
export async function limitCamera(connection: RTCPeerConnection, others: number): Promise<void> {
  const sender = connection.getTransceivers()[cameraIndex]?.sender;
  const parameters = sender?.getParameters();
  const encoding = parameters?.encodings[0];
  if (!sender || !parameters || !encoding) return;
  const limit = cameraLimitOf(others);
  if (encoding.maxBitrate === limit.maxBitrate) return;
  Object.assign(encoding, limit);
  // Unsupported: the browser adapts by itself.
  await sender.setParameters(parameters).catch(() => undefined);
}
