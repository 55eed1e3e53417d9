import type { ReactNode } from 'react';
import { useHydrated } from '#/web/hydrated.ts';

/**
 * What came with the page can be read at once, but pressed and typed into only when its script hears it: until then
 * a press would be lost, and a form sent by the browser itself.
 */
export function OnceAlive({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  return (
    <fieldset role="presentation" disabled={!hydrated} className="contents">
      {children}
    </fieldset>
  );
}
