import { openLine, type Line, type LineEvents, type RealtimeMessage, type SendFrame } from './socket-line.ts';

export type Listener = (message: RealtimeMessage) => void;

export interface RealtimeConnection {
  say: SendFrame;
  /** Reconnects now instead of at the next try. */
  reopen(): void;
  /** Stays open while someone listens. Returns a function that stops listening. */
  subscribe(listener: Listener): () => void;
}

const sessionEnded = 1008;
/** Close code for exceeding the rate limit. */
const tooMuch = 4008;

/** Client spec, section 9: reconnect after 1, 2, 5, then every 10 seconds. */
const backoffMs = [1_000, 2_000, 5_000, 10_000];

/** How long a screen may take from reading its data to listening, in milliseconds. */
const newsMs = 60_000;

/** Keeps a socket open, and reports when messages may have been missed. `renderedAt` is in epoch milliseconds. */
export function openConnection(renderedAt: number | null): RealtimeConnection {
  const listeners = new Set<Listener>();
  let line: Line | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let since = renderedAt;
  /** When the last message came, in epoch milliseconds. */
  let receivedAt = 0;

  const tell = (message: RealtimeMessage) => {
    for (const listener of listeners) listener(message);
  };
  const tellNews = (message: RealtimeMessage) => {
    receivedAt = Date.now();
    tell(message);
  };
  const open = () => {
    clearTimeout(timer);
    timer = undefined;
    const events: LineEvents = {
      opened() {
        failures = 0;
        tell({ type: 'connected', id: '' });
        // After rendering, the server knows whether messages were missed.
        if (since === null) tellNews({ type: 'missed', id: '' });
        since = null;
      },
      received: tellNews,
      lost(code) {
        line = null;
        since = null;
        tell({ type: 'lost', id: '' });
        if (code === sessionEnded) tell({ type: 'signed_out', id: '' });
        // Signed out or rate limited: an early retry would most likely fail.
        if (code === sessionEnded || code === tooMuch) failures = backoffMs.length;
        if (listeners.size === 0) return;
        timer = setTimeout(open, backoffMs[Math.min(failures, backoffMs.length - 1)]);
        failures++;
      },
    };
    line = openLine(events, since);
  };
  /** Online again or the tab became visible: reconnects immediately, or tests an open connection. */
  const tryNow = ({ type }: Event) => {
    if (type === 'visibilitychange' && document.visibilityState === 'hidden') return;
    if (line) line.beat();
    else reopen();
  };
  const reopen = () => {
    if (timer !== undefined) open();
  };
  // A function, because the server has no `window`.
  const events = () =>
    [
      [window, 'online'],
      [document, 'visibilitychange'],
    ] as const;

  return {
    say: (frame) => line?.say(frame) ?? false,
    reopen,
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) {
        for (const [target, event] of events()) target.addEventListener(event, tryNow);
        if (!line) open();
      }
      if (line?.stands()) {
        queueMicrotask(() => {
          if (!listeners.has(listener)) return;
          listener({ type: 'connected', id: '' });
          // Its data may be older than recent messages.
          if (Date.now() - receivedAt < newsMs) listener({ type: 'missed', id: '' });
        });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        for (const [target, event] of events()) target.removeEventListener(event, tryNow);
        clearTimeout(timer);
        timer = undefined;
        line?.close();
        line = null;
      };
    },
  };
}
