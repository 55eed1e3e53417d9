import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { UnreadContext } from '#/features/messaging/ui/unread.ts';
import { useHasMessages } from './messages-on.ts';

/** Knows on every page how many messages wait for who is signed in. Guests' pages don't load what watches. */
export function UnreadProvider({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0);
  const { viewer, leaving } = useSession();
  const on = useHasMessages() && !leaving;
  const [Watch, setWatch] = useState<ComponentType<{ onUnread: (count: number) => void }> | null>(null);
  const missing = on && Watch === null;
  useEffect(() => {
    if (!missing) return;
    const load = () => {
      import('#/features/messaging/ui/messaging-watch.tsx').then(
        ({ MessagingWatch }) => setWatch(() => MessagingWatch),
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
      {on && Watch && <Watch key={viewer?.id} onUnread={setCount} />}
    </UnreadContext>
  );
}
