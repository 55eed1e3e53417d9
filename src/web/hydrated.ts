import { useLayoutEffect, useSyncExternalStore, type RefObject } from 'react';

const never = () => () => undefined;

/** Returns false before hydration, when a native form submit would lose typed text. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

/** Passes text typed before hydration to `take`, by field; React would otherwise reset it. */
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
    // oxlint-disable-next-line react/exhaustive-deps -- once
  }, []);
}
