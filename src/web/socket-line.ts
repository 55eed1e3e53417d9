/**
 * Reports to screens what to refetch. `missed` means messages may have been missed, while disconnected or since server
 * rendering; `connected` that frames can be sent; `signed_out` that the session ended elsewhere.
 */
export interface RealtimeMessage {
  type: string;
  id: string;
  /** Unsaved state, such as typing indicators. */
  data?: unknown;
}

/** Sends a frame if the socket is open. To guarantee delivery, resend on `connected`. */
export type SendFrame = (frame: { type: string } & Record<string, unknown>) => boolean;

/** Client spec, section 9: a ping every 25 s. Scripts can't see the server's WebSocket pings, so both sides ping. */
const heartbeatMs = 25_000;
/** Ping timeout in milliseconds. */
const answerMs = 10_000;

export interface Line {
  say: SendFrame;
  stands(): boolean;
  beat(): void;
  close(): void;
}

export interface LineEvents {
  opened(): void;
  received(message: RealtimeMessage): void;
  /** Called once; not after `close`. */
  lost(code: number): void;
}

/** Opens a socket; pings detect dead connections. Asks whether messages were missed `since`, in epoch milliseconds. */
export function openLine(on: LineEvents, since: number | null): Line {
  const address = new URL('/realtime', window.location.href.replace(/^http/, 'ws'));
  if (since !== null) address.searchParams.set('since', String(since));
  const socket = new WebSocket(address);
  let beating: ReturnType<typeof setInterval> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  let over = false;

  const end = (code?: number) => {
    if (over) return;
    over = true;
    clearInterval(beating);
    clearTimeout(late);
    socket.close();
    if (code !== undefined) on.lost(code);
  };
  const stands = () => !over && socket.readyState === WebSocket.OPEN;
  const say: SendFrame = (frame) => {
    if (!stands()) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };
  const beat = () => {
    // A half-open connection accepts data without responding, and never completes its close handshake.
    if (say({ type: 'beat' })) late ??= setTimeout(() => end(1006), answerMs);
  };

  socket.addEventListener('open', () => {
    if (over) return;
    beating = setInterval(beat, heartbeatMs);
    on.opened();
  });
  socket.addEventListener('message', (event) => {
    if (over) return;
    clearTimeout(late);
    late = undefined;
    const message = JSON.parse(String(event.data)) as RealtimeMessage;
    if (message.type !== 'beat') on.received(message);
  });
  socket.addEventListener('close', ({ code }) => end(code));
  return { say, stands, beat, close: () => end() };
}
