import { useLayoutEffect, useSyncExternalStore, type RefObject } from 'react';

const never = () => () => undefined;

/** Whether the page's script runs: until then the browser would send a form by itself, and lose what was typed. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** Hands over what was typed into a form before the page's script ran, by field: React would set it back. */
export function useTypedBefore(
  form: RefObject<HTMLFormElement | null>,
  take: (typed: Record<string, string>) => void,
): void {
  useLayoutEffect(() => {
    if (!form.current) return;
    const typed = [...new FormData(form.current)].flatMap(([field, value]) =>
      typeof value === 'string' && value !== '' ? [[field, value] as const] : [],
    );
    if (typed.length > 0) take(Object.fromEntries(typed));
    // oxlint-disable-next-line react/exhaustive-deps -- only once: from then on React knows what is typed
  }, []);
}
