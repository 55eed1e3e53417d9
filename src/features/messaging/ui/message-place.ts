import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** So far from what is seen messages are still drawn, and others fetched, in pixels. */
export const reach = 900;
/** So near to its end a history still counts as read to its end, in pixels. */
export const nearEnd = 80;
/** So much of a message must be in sight for it to count as seen, in pixels. */
const seenPart = 24;
/** How long the screen rests before what is in sight counts as seen, in milliseconds. */
const glance = 400;

/**
 * Keeps what is seen in its place while messages come and go around it, unless the end is in sight. `remember` takes for
 * that place what is seen now, `scrolled` is for when the browser tells of a scroll.
 */
export function useKeptPlace(
  box: RefObject<HTMLDivElement | null>,
  unsent: number,
): { remember: () => void; scrolled: () => void } {
  const anchor = useRef<Anchor | null>(null);
  const remember = () => {
    if (box.current) anchor.current = anchorOf(box.current);
  };
  const scrolled = () => {
    const element = box.current;
    if (!element) return;
    const known = anchor.current;
    // The browser tells late: what was drawn or left out since then has moved what is seen.
    if (known && element.scrollHeight !== known.height) {
      // What shrinks is scrolled by the browser, what grows by the reader alone.
      if (element.scrollHeight > known.height) known.top -= element.scrollTop - known.scrolled;
      keep(element, known);
    }
    remember();
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // Before it is painted: when something was written, drawn or left out, and when the window has another width.
    const observer = new ResizeObserver(() => {
      if (anchor.current) keep(element, anchor.current);
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
  return { remember, scrolled };
}

/** The first message in sight, and where it stood. */
interface Anchor {
  seq: string;
  /** Below the top of the box. */
  top: number;
  /** How high what the box holds was then, and where the box was scrolled to. */
  height: number;
  scrolled: number;
}

function anchorOf(element: HTMLElement): Anchor | null {
  if (-element.scrollTop <= nearEnd) return null;
  const { top } = element.getBoundingClientRect();
  for (const one of element.querySelectorAll<HTMLElement>('[data-seq]')) {
    const rect = one.getBoundingClientRect();
    if (rect.bottom <= top) continue;
    return {
      seq: one.dataset.seq ?? '',
      top: rect.top - top,
      height: element.scrollHeight,
      scrolled: element.scrollTop,
    };
  }
  return null;
}

/** Puts the message back to where it stood. */
function keep(element: HTMLElement, known: Anchor): void {
  const one = element.querySelector(`[data-seq="${known.seq}"]`);
  if (!one) return;
  const moved = one.getBoundingClientRect().top - element.getBoundingClientRect().top - known.top;
  if (Math.abs(moved) >= 1) element.scrollBy({ top: moved, behavior: 'instant' });
  known.height = element.scrollHeight;
  known.scrolled = element.scrollTop;
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
