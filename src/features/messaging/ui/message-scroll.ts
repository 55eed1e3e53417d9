import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** Distance from the viewport within which messages render and pages load, in pixels. */
export const reach = 900;
/** Distance from the latest message that still counts as the end, in pixels. */
export const nearEnd = 80;
/** Visible part of a message that counts as seen, in pixels. */
const seenPart = 24;
/** Pause in scrolling before visible messages count as seen, in milliseconds. */
const glance = 400;

/**
 * Scroll anchoring: holds visible messages in place while others load or resize, unless the end is visible. `remember`
 * sets the anchor from the current view; call `scrolled` on scroll events.
 */
export function useScrollAnchor(
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
    // Scroll events arrive late: rendering since then has shifted the view.
    if (known && element.scrollHeight !== known.height) {
      // Browsers adjust scroll for shrinking content; with growing content, only the reader scrolls.
      if (element.scrollHeight > known.height) known.top -= element.scrollTop - known.scrolled;
      keep(element, known);
    }
    remember();
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    // Runs before paint on any resize.
    const observer = new ResizeObserver(() => {
      if (anchor.current) keep(element, anchor.current);
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [box]);
  // Sending a message scrolls to the end.
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

interface Anchor {
  seq: string;
  /** Offset from the box top, in pixels. */
  top: number;
  /** Scroll height and scroll position at the time. */
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

function keep(element: HTMLElement, known: Anchor): void {
  const one = element.querySelector(`[data-seq="${known.seq}"]`);
  if (!one) return;
  const moved = one.getBoundingClientRect().top - element.getBoundingClientRect().top - known.top;
  if (Math.abs(moved) >= 1) element.scrollBy({ top: moved, behavior: 'instant' });
  known.height = element.scrollHeight;
  known.scrolled = element.scrollTop;
}

/** Scrolls to the linked message, or else the first unread one, and anchors there with `remember`. */
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
    // Messages may render before the scroll event.
    remember();
  });
}

/** Reports the last message seen: on screen long enough, in a visible tab. */
export function useReportSeen(box: RefObject<HTMLDivElement | null>, onSeen: (seq: number) => void): void {
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
