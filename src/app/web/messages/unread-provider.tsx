import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { UnreadContext } from '#/features/messaging/ui/unread.ts';
import { useHasMessages } from './messages-on.ts';

/** Guests' pages don't load it. */
const MessagingWatch = lazy(async () => ({
  default: (await import('#/features/messaging/ui/messaging-watch.tsx')).MessagingWatch,
}));

/** Knows on every page how many messages wait for who is signed in. */
export function UnreadProvider({ children }: { children: ReactNode }) {
  const [count, setCount] = useState(0);
  const viewer = useViewer();
  const hydrated = useHydrated();
  const on = useHasMessages() && hydrated;
  return (
    <UnreadContext value={on ? count : 0}>
      {children}
      {on && (
        <Suspense>
          <MessagingWatch key={viewer?.id} onUnread={setCount} />
        </Suspense>
      )}
    </UnreadContext>
  );
}
