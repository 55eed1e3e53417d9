import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react';
import { RenderedAtContext } from './rendered-at.ts';
import { openLine, type Line, type LineEvents, type RealtimeMessage, type Say } from './socket-line.ts';

type Hear = (message: RealtimeMessage) => void;

const sessionEnded = 1008;
/** Close code for exceeding the rate limit. */
const tooMuch = 4008;

/** Client spec, section 9: reconnect after 1, 2, 5, then every 10 seconds. */
const backoffMs = [1_000, 2_000, 5_000, 10_000];

/** How long a screen may take from reading its data to listening, in milliseconds. */
const newsMs = 60_000;

const RealtimeContext = createContext<ReturnType<typeof connect> | null>(null);

let ofBrowser: ReturnType<typeof connect> | null = null;

export function RealtimeProvider({ children }: { children: ReactNode }) {
  const renderedAt = use(RenderedAtContext);
  const [connection] = useState(() =>
    typeof window === 'undefined' ? connect(null) : (ofBrowser ??= connect(renderedAt)),
  );
  return <RealtimeContext value={connection}>{children}</RealtimeContext>;
}

export function useRealtime(listener: Hear): void {
  const context = use(RealtimeContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => context?.hear((message) => latest.current(message)), [context]);
}

/** Returns a function that sends a frame; false while disconnected. Requires a mounted `useRealtime`. */
export function useSay(): Say {
  const context = use(RealtimeContext);
  return context?.say ?? (() => false);
}

export function useReopen(): () => void {
  const context = use(RealtimeContext);
  return () => context?.reopen();
}

function connect(renderedAt: number | null) {
  const listeners = new Set<Hear>();
  let line: Line | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let since = renderedAt;
  /** When the last message came, in epoch milliseconds. */
  let heardAt = 0;

  const tell = (message: RealtimeMessage) => {
    for (const listener of listeners) listener(message);
  };
  const tellNews = (message: RealtimeMessage) => {
    heardAt = Date.now();
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
      heard: tellNews,
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
    say: ((frame) => line?.say(frame) ?? false) as Say,
    reopen,
    hear(listener: Hear) {
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
          if (Date.now() - heardAt < newsMs) listener({ type: 'missed', id: '' });
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
