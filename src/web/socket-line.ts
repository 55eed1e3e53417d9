/**
 * That something changed: who shows it fetches it anew. `connected` stands for all that wasn't heard before the line
 * stood: while it was lost, and since the server made the page. `signed_out` says that the session has ended elsewhere.
 */
export interface RealtimeMessage {
  type: string;
  id: string;
  /** Of what is nowhere stored, such as who is typing. */
  data?: unknown;
}

/** Says something on the socket, if it is open; whoever needs to be heard says it again once it is `connected`. */
export type Say = (frame: { type: string } & Record<string, unknown>) => boolean;

/** Client spec, section 9: a beat every 25 s. The server's own can't be seen from here, so each side beats. */
const heartbeatMs = 25_000;
/** How long an answer to a beat may take, in milliseconds, before the line counts as lost. */
const answerMs = 10_000;

/** One socket, from when it is opened until it is lost. */
export interface Line {
  say: Say;
  stands(): boolean;
  /** Asks the server for a sign of life now; without one the line is lost. */
  beat(): void;
  close(): void;
}

interface LineEvents {
  opened(): void;
  heard(message: RealtimeMessage): void;
  /** Once; not after `close`. */
  lost(code: number): void;
}

/** Opens a socket to the server; both sides see to it that a line on which nothing comes any more is noticed. */
export function openLine(on: LineEvents): Line {
  const socket = new WebSocket(new URL('/realtime', window.location.href.replace(/^http/, 'ws')));
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
  const say: Say = (frame) => {
    if (!stands()) return false;
    socket.send(JSON.stringify(frame));
    return true;
  };
  const beat = () => {
    // A half-open line takes all that is said and answers nothing; its closing isn't answered either.
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
    if (message.type !== 'beat') on.heard(message);
  });
  socket.addEventListener('close', ({ code }) => end(code));
  return { say, stands, beat, close: () => end() };
}
