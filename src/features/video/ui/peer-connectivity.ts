import { isIceRestarted } from './peer-rules.ts';

export type LinkState = 'connecting' | 'connected' | 'reconnecting' | 'closed';

/** Short dropouts recover by themselves; after this many milliseconds, ICE restarts. */
const restartAfter = 2_500;

/** Tracks whether a connection is up, and restarts ICE when it stays down. */
export function createConnectivity({
  connection,
  polite,
  onConnected,
  onChange,
}: {
  connection: RTCPeerConnection;
  polite: boolean;
  onConnected: () => void;
  onChange: () => void;
}) {
  let everConnected = false;
  let closed = false;
  /** In milliseconds of `performance.now`; null while connected. */
  let downSince: number | null = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isConnected = () => connection.connectionState === 'connected' && !closed;
  const stopTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const restartIce = () => {
    stopTimer();
    const { signalingState } = connection;
    if (isIceRestarted({ polite, connected: isConnected(), everConnected, signalingState }))
      connection.restartIce();
  };

  connection.addEventListener('connectionstatechange', () => {
    const state = connection.connectionState;
    if (isConnected()) {
      everConnected = true;
      onConnected();
      downSince = null;
      stopTimer();
    } else {
      downSince ??= performance.now();
      if (state === 'failed') restartIce();
      else if (state === 'disconnected') timer ??= setTimeout(restartIce, restartAfter);
    }
    onChange();
  });

  return {
    isConnected,
    downSince: () => downSince,
    restartIce,
    state(): LinkState {
      if (closed) return 'closed';
      if (isConnected()) return 'connected';
      return everConnected ? 'reconnecting' : 'connecting';
    },
    /** The other end closed the connection. */
    closedRemotely() {
      if (closed) return;
      closed = true;
      downSince ??= performance.now();
      onChange();
    },
    close() {
      closed = true;
      stopTimer();
    },
  };
}
