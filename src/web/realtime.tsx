import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react';

/**
 * That something changed: who shows it fetches it anew. `connected` stands for all that wasn't heard before the line
 * stood: while it was lost, and since the server made the page. `signed_out` says that the session has ended elsewhere.
 */
interface RealtimeMessage {
  type: string;
  id: string;
  /** Of what is nowhere stored, such as who is typing. */
  data?: unknown;
}

/** Says something on the socket, if it is open; whoever needs to be heard says it again once it is `connected`. */
type Say = (frame: { type: string } & Record<string, unknown>) => boolean;

type Hear = (message: RealtimeMessage) => void;

/** How the server closes the socket of a session that has ended (RFC 6455: policy violation). */
const sessionEnded = 1008;

/** Client spec, section 9: reconnect after 1, 2, 5, then every 10 seconds. */
const backoffMs = [1_000, 2_000, 5_000, 10_000];

const RealtimeContext = createContext<{ hear(listener: Hear): () => void; say: Say } | null>(null);

/** The browser's one line to the server, however many parts of a page listen. */
let ofBrowser: ReturnType<typeof connect> | null = null;

/** One socket for the page, opened when the first screen listens and kept until the last one stops. */
export function RealtimeProvider({ children }: { children: ReactNode }) {
  const [connection] = useState(() =>
    typeof window === 'undefined' ? connect() : (ofBrowser ??= connect()),
  );
  return <RealtimeContext value={connection}>{children}</RealtimeContext>;
}

/** Calls `listener` for every message while the component is shown. */
export function useRealtime(listener: Hear): void {
  const context = use(RealtimeContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => context?.hear((message) => latest.current(message)), [context]);
}

/** Says something to the server while the component listens; false where the line is down. */
export function useSay(): Say {
  const context = use(RealtimeContext);
  return context?.say ?? (() => false);
}

function connect() {
  const listeners = new Set<Hear>();
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const tell = (message: RealtimeMessage) => {
    for (const listener of listeners) listener(message);
  };
  const open = () => {
    const opened = new WebSocket(new URL('/realtime', window.location.href.replace(/^http/, 'ws')));
    socket = opened;
    opened.addEventListener('open', () => {
      failures = 0;
      tell({ type: 'connected', id: '' });
    });
    opened.addEventListener('message', (event) => tell(JSON.parse(String(event.data)) as RealtimeMessage));
    opened.addEventListener('close', ({ code }) => {
      // Closed by ourselves: another one may stand by now.
      if (socket !== opened) return;
      socket = null;
      if (code === sessionEnded) {
        tell({ type: 'signed_out', id: '' });
        // Most likely nobody is signed in any more, and the screens that listen are about to go.
        failures = backoffMs.length;
      }
      if (listeners.size === 0) return;
      timer = setTimeout(open, backoffMs[Math.min(failures, backoffMs.length - 1)]);
      failures++;
    });
  };

  return {
    say(frame: { type: string } & Record<string, unknown>) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    hear(listener: Hear) {
      listeners.add(listener);
      if (listeners.size === 1 && !socket) open();
      // Who begins to listen later hasn't heard what came before, either.
      if (socket?.readyState === WebSocket.OPEN) {
        queueMicrotask(() => {
          if (listeners.has(listener)) listener({ type: 'connected', id: '' });
        });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        socket?.close();
        socket = null;
      };
    },
  };
}
