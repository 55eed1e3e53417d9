import type { ReactNode } from 'react';
import { useHydrated } from '../hydrated.ts';

/** Disables controls until hydration: clicks would be lost, and browsers would submit forms natively. */
export function WhenHydrated({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  return (
    <fieldset role="presentation" disabled={!hydrated} className="contents">
      {children}
    </fieldset>
  );
}
