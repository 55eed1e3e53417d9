import { useSyncExternalStore } from 'react';

/** Where a week has no room for columns, nor a month for names: below Tailwind's `lg`. */
const narrow = '(max-width: 63.99rem)';

/** Whether the screen is a narrow one; false until the page has come to life. */
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
