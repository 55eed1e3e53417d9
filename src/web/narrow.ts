import { useSyncExternalStore } from 'react';

/** Below Tailwind's `lg`: too narrow for week columns or names in the month view. */
const narrow = '(max-width: 63.99rem)';

/** False until hydration. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(narrow);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => matchMedia(narrow).matches,
    () => false,
  );
}
