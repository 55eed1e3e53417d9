import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the page's script runs: until then the browser would send a form by itself, and lose what was typed. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
