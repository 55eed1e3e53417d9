import { useEffect, useEffectEvent, type RefObject } from 'react';

/** In pixels from the window's top and bottom, where bars cover the page. */
const edge = 96;
/** Pixels scrolled per frame, for each pixel inside the edge. */
const pace = 1 / 6;

export interface Pointer {
  x: number;
  y: number;
}

/** Scrolls the page while a drag is held near the window's top or bottom, if it moved that way. `onScroll` runs after each step. */
export function useEdgeScroll(
  isDragging: boolean,
  { from, at }: { from: RefObject<Pointer | null>; at: RefObject<Pointer | null> },
  onScroll: () => void,
): void {
  const scroll = useEffectEvent(() => {
    const [start, { y }] = [from.current?.y ?? 0, at.current ?? { y: innerHeight / 2 }];
    const above = y < start ? Math.min(y - edge, 0) : 0;
    const below = y > start ? Math.max(y - (innerHeight - edge), 0) : 0;
    if (above + below === 0) return;
    window.scrollBy(0, (above + below) * pace);
    onScroll();
  });
  useEffect(() => {
    if (!isDragging) return;
    let frame = requestAnimationFrame(function step() {
      scroll();
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isDragging]);
}
