import { createContext, use } from 'react';
import { useHydrated } from '#/web/hydrated.ts';

/** How many messages wait for who is signed in; 0 where nobody knows. */
export const UnreadContext = createContext(0);

/** How many messages wait for who is signed in; 0 until the part of the page that shows it has come to life. */
export function useUnread(): number {
  const count = use(UnreadContext);
  return useHydrated() ? count : 0;
}
