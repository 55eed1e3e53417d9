import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** So far from what is seen messages are still drawn, and others fetched, in pixels. */
export const reach = 900;
/** So near to its end a history still counts as read to its end, in pixels. */
export const nearEnd = 80;
/** So much of a message must be in sight for it to count as seen, in pixels. */
const seenPart = 24;
/** How long the screen rests before what is in sight counts as seen, in milliseconds. */
const glance = 400;

/** Keeps what is seen in its place while messages come and go around it, unless the end is in sight. Gives what to call as one scrolls. */
export function useKeptPlace(box: RefObject<HTMLDivElement | null>, unsent: number): () => void {
  const anchor = useRef<{ seq: string; top: number } | null>(null);
  const remember = () => {
    const element = box.current;
    if (!element) return;
    anchor.current = null;
    if (-element.scrollTop <= nearEnd) return;
    const { top } = element.getBoundingClientRect();
    for (const one of element.querySelectorAll<HTMLElement>('[data-seq]')) {
      const rect = one.getBoundingClientRect();
      if (rect.bottom <= top) continue;
      anchor.current = { seq: one.dataset.seq ?? '', top: rect.top - top };
      return;
    }
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // Before it is painted: when something was written, drawn or left out, and when the window has another width.
    const observer = new ResizeObserver(() => {
      const known = anchor.current;
      const one = known && element.querySelector(`[data-seq="${known.seq}"]`);
      if (!one) return;
      const moved = one.getBoundingClientRect().top - element.getBoundingClientRect().top - known.top;
      if (Math.abs(moved) >= 1) element.scrollBy({ top: moved, behavior: 'instant' });
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [box]);
  // What one has just written is seen.
  const sent = useRef(unsent);
  useLayoutEffect(() => {
    if (unsent > sent.current) {
      anchor.current = null;
      box.current?.scrollTo({ top: 0, behavior: 'instant' });
    }
    sent.current = unsent;
  }, [box, unsent]);
  return remember;
}

/** Opens where the new messages begin, or at the message that one was led to; `remember` keeps that place. */
export function useOpening(
  box: RefObject<HTMLDivElement | null>,
  divider: number | null,
  at: number | null,
  remember: () => void,
): void {
  const opened = useRef<number | null | undefined>(undefined);
  useLayoutEffect(() => {
    if (opened.current === at) return;
    const element = box.current;
    if (!element) return;
    if (at !== null) {
      const found = element.querySelector<HTMLElement>(`[data-seq="${at}"]`);
      if (!found) return;
      found.scrollIntoView({ block: 'center', behavior: 'instant' });
      found.focus({ preventScroll: true });
    } else if (opened.current === undefined && divider !== null) {
      const line = element.querySelector('[data-new]');
      if (line && line.getBoundingClientRect().top < element.getBoundingClientRect().top)
        line.scrollIntoView({ block: 'start', behavior: 'instant' });
    }
    opened.current = at;
    // More may be drawn before the browser tells that it has scrolled.
    remember();
  });
}

/** Tells up to which message the history was really seen: on the screen, for a moment, in a tab that is looked at. */
export function useSeen(box: RefObject<HTMLDivElement | null>, onSeen: (seq: number) => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const see = () => {
    const element = box.current;
    if (!element || document.visibilityState !== 'visible') return;
    const bottom = Math.min(element.getBoundingClientRect().bottom, window.innerHeight);
    const all = [...element.querySelectorAll<HTMLElement>('[data-seq]')];
    const seen = all.findLast((one) => one.getBoundingClientRect().top + seenPart <= bottom);
    if (seen) onSeen(Number(seen.dataset.seq));
  };
  const latest = useRef(see);
  useEffect(() => {
    latest.current = see;
  });
  useEffect(() => {
    const element = box.current;
    const soon = () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => latest.current(), glance);
    };
    const drawn = new MutationObserver(soon);
    soon();
    if (element) drawn.observe(element, { childList: true, subtree: true });
    element?.addEventListener('scroll', soon, { passive: true });
    document.addEventListener('visibilitychange', soon);
    return () => {
      clearTimeout(timer.current);
      drawn.disconnect();
      element?.removeEventListener('scroll', soon);
      document.removeEventListener('visibilitychange', soon);
    };
  }, [box]);
}
