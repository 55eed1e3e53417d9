import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react';
import { openLine, type Line, type RealtimeMessage, type Say } from './socket-line.ts';

type Hear = (message: RealtimeMessage) => void;

/** How the server closes the socket of a session that has ended (RFC 6455: policy violation). */
const sessionEnded = 1008;
/** How it closes one on which too much was said. */
const tooMuch = 4008;

/** Client spec, section 9: reconnect after 1, 2, 5, then every 10 seconds. */
const backoffMs = [1_000, 2_000, 5_000, 10_000];

const RealtimeContext = createContext<ReturnType<typeof connect> | null>(null);

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

/** Takes the line up again at once, for who knows that it will be answered. */
export function useReopen(): () => void {
  const context = use(RealtimeContext);
  return () => context?.reopen();
}

function connect() {
  const listeners = new Set<Hear>();
  let line: Line | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const tell = (message: RealtimeMessage) => {
    for (const listener of listeners) listener(message);
  };
  const open = () => {
    clearTimeout(timer);
    timer = undefined;
    line = openLine({
      opened() {
        failures = 0;
        tell({ type: 'connected', id: '' });
      },
      heard: tell,
      lost(code) {
        line = null;
        tell({ type: 'lost', id: '' });
        if (code === sessionEnded) tell({ type: 'signed_out', id: '' });
        // Most likely nobody is signed in any more and the screens that listen are about to go; or we said too much.
        if (code === sessionEnded || code === tooMuch) failures = backoffMs.length;
        if (listeners.size === 0) return;
        timer = setTimeout(open, backoffMs[Math.min(failures, backoffMs.length - 1)]);
        failures++;
      },
    });
  };
  /** The network is back, or somebody looks at the page again: what was to wait is tried now, what stands is tested. */
  const tryNow = ({ type }: Event) => {
    if (type === 'visibilitychange' && document.visibilityState === 'hidden') return;
    if (line) line.beat();
    else reopen();
  };
  const reopen = () => {
    if (timer !== undefined) open();
  };
  // Only asked for in a browser: the server makes pages with this, too.
  const events = () =>
    [
      [window, 'online'],
      [document, 'visibilitychange'],
    ] as const;

  return {
    say: ((frame) => line?.say(frame) ?? false) as Say,
    reopen,
    hear(listener: Hear) {
      listeners.add(listener);
      if (listeners.size === 1) {
        for (const [target, event] of events()) target.addEventListener(event, tryNow);
        if (!line) open();
      }
      // Who begins to listen later hasn't heard what came before, either.
      if (line?.stands()) {
        queueMicrotask(() => {
          if (listeners.has(listener)) listener({ type: 'connected', id: '' });
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
