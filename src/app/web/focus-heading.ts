import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/** Focuses the page's heading, where Tab continues. */
export function focusHeading(options?: FocusOptions): void {
  requestAnimationFrame(() => {
    const heading = document.querySelector<HTMLElement>('main h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus(options);
  });
}

/** Focuses each new page's heading, unless focus moved. */
export function useHeadingFocus(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    if (document.querySelector(':is(main, [role$=dialog]) :focus')?.checkVisibility()) return;
    // The router restores the scroll position.
    focusHeading({ preventScroll: true });
  }, [pathname]);
}
