import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react';
import { RenderedAtContext } from './now.ts';
import { openConnection, type Listener, type RealtimeConnection } from './realtime-connection.ts';
import type { SendFrame } from './socket-line.ts';

const RealtimeContext = createContext<RealtimeConnection | null>(null);

let ofBrowser: RealtimeConnection | null = null;

export function RealtimeProvider({ children }: { children: ReactNode }) {
  const renderedAt = use(RenderedAtContext);
  const [connection] = useState(() =>
    typeof window === 'undefined' ? openConnection(null) : (ofBrowser ??= openConnection(renderedAt)),
  );
  return <RealtimeContext value={connection}>{children}</RealtimeContext>;
}

export function useRealtime(listener: Listener): void {
  const context = use(RealtimeContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => context?.subscribe((message) => latest.current(message)), [context]);
}

/** Returns a function that sends a frame; false while disconnected. Requires a mounted `useRealtime`. */
export function useSendFrame(): SendFrame {
  const context = use(RealtimeContext);
  return context?.say ?? (() => false);
}

export function useReopen(): () => void {
  const context = use(RealtimeContext);
  return () => context?.reopen();
}
