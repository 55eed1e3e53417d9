import { startTransition, useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { UnreadContext } from '#/features/messaging/ui/unread.ts';
import { useHasMessages } from '#/features/messaging/ui/messages-on.ts';

type Watch = ComponentType<{ onUnread: ((count: number) => void) | null }>;

/** Keeps signed-in people's pages live. Guests never download the watcher. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0);
  const { viewer, leaving } = useSession();
  const here = viewer !== null && !leaving;
  const on = useHasMessages() && here;
  const [Watch, setWatch] = useState<Watch | null>(null);
  // A transition, so boundaries awaiting hydration aren't replaced by fallbacks.
  const keep = useCallback((next: number) => startTransition(() => setCount(next)), []);
  const missing = here && Watch === null;
  useEffect(() => {
    if (!missing) return;
    const load = () => {
      import('./live-watch.tsx').then(
        ({ LiveWatch }) => setWatch(() => LiveWatch),
        // Optional while offline; retried on reconnect.
        () => undefined,
      );
    };
    load();
    window.addEventListener('online', load);
    return () => window.removeEventListener('online', load);
  }, [missing]);
  return (
    <UnreadContext value={on ? count : 0}>
      {children}
      {here && Watch && <Watch key={viewer.id} onUnread={on ? keep : null} />}
    </UnreadContext>
  );
}
