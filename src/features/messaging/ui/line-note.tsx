import { WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { m } from '#/texts/messages.js';
import { useRealtime } from '#/web/realtime.tsx';

/** Milliseconds before a lost connection is shown. */
const patience = 3_000;

/** Overlay for a lost connection. Floats above the messages to avoid layout shift. */
export function LineNote() {
  const [lost, setLost] = useState(false);
  const [shown, setShown] = useState(false);
  useRealtime(({ type }) => {
    if (type === 'lost') setLost(true);
    if (type === 'connected') {
      setLost(false);
      setShown(false);
    }
  });
  useEffect(() => {
    if (!lost) return;
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div role="status" className="pointer-events-none absolute inset-x-4 top-2 z-10 flex justify-center">
      {shown && (
        <p className="flex animate-fade items-start gap-2 rounded-card border border-line bg-card px-3.5 py-1.5 text-sm shadow-soft">
          <WifiOff aria-hidden className="mt-0.5 size-4 shrink-0 text-quiet" />
          {m.messaging_line_lost()}
        </p>
      )}
    </div>
  );
}
