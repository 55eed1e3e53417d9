import { createContext, use } from 'react';

/** How many messages wait for who is signed in; 0 where nobody knows. */
export const UnreadContext = createContext(0);

/** How many messages wait for who is signed in. */
export function useUnread(): number {
  return use(UnreadContext);
}
