import { startTransition, useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { UnreadContext } from '#/features/messaging/ui/unread.ts';
import { useHasMessages } from './messages/messages-on.ts';

type Watch = ComponentType<{ onUnread: ((count: number) => void) | null }>;

/** Keeps every page of who is signed in true while it is open. Guests' pages don't load what watches. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0);
  const { viewer, leaving } = useSession();
  const here = viewer !== null && !leaving;
  const on = useHasMessages() && here;
  const [Watch, setWatch] = useState<Watch | null>(null);
  // What came with the page and is still asleep stays where it is until it hears of the count.
  const keep = useCallback((next: number) => startTransition(() => setCount(next)), []);
  const missing = here && Watch === null;
  useEffect(() => {
    if (!missing) return;
    const load = () => {
      import('./live-watch.tsx').then(
        ({ LiveWatch }) => setWatch(() => LiveWatch),
        // The page can do without it until there is a network.
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
