import { createContext, use } from 'react';
import { useHydrated } from '#/web/hydrated.ts';

/** 0 if unknown. */
export const UnreadContext = createContext(0);

/** 0 until hydration. */
export function useUnread(): number {
  const count = use(UnreadContext);
  return useHydrated() ? count : 0;
}
