import { useLayoutEffect, useRef, type RefObject } from 'react';

const gap = 12;
/** Top share of the window reserved for headings. */
const headings = 0.35;
/** Elements toasts must not cover: bottom bars, primary and destructive buttons. */
const keptVisible = '[data-bar], button.bg-primary, a.bg-primary, button.bg-clay';

/** Positions toasts at the bottom of the visual viewport: above the keyboard, bars and main buttons, below headings. */
export function useToastPlace(): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const view = window.visualViewport;
    const place = () => {
      const toasts = list.current;
      if (!toasts) return;
      const floor = view ? view.offsetTop + view.height : window.innerHeight;
      const bottom = window.innerHeight - floor + clearance(toasts, floor);
      toasts.style.bottom = `${Math.round(bottom)}px`;
    };
    place();
    const sizes = new ResizeObserver(place);
    if (list.current) sizes.observe(list.current);
    // Dialogs mount as children of body.
    const dialogs = new MutationObserver(place);
    dialogs.observe(document.body, { childList: true });
    view?.addEventListener('resize', place);
    view?.addEventListener('scroll', place);
    window.addEventListener('resize', place);
    return () => {
      sizes.disconnect();
      dialogs.disconnect();
      view?.removeEventListener('resize', place);
      view?.removeEventListener('scroll', place);
      window.removeEventListener('resize', place);
    };
  }, []);
  return list;
}

/**
 * Returns the distance from the bottom edge that clears all obstacles, or only bars if toasts would reach the headings.
 */
function clearance(toasts: HTMLElement, floor: number): number {
  const { left, right, height } = toasts.getBoundingClientRect();
  const boxes = [...document.querySelectorAll(keptVisible)].flatMap((one) => {
    const box = one.getBoundingClientRect();
    const isSeen = box.height > 0 && box.top < floor && box.bottom > 0;
    return isSeen && box.right > left && box.left < right && !toasts.contains(one) ? [{ one, box }] : [];
  });
  const above = (obstacles: readonly DOMRect[]) => {
    let edge = floor - gap;
    for (;;) {
      const hit = obstacles.find(({ top, bottom }) => top < edge && bottom > edge - height);
      if (!hit) return edge;
      edge = hit.top - gap;
    }
  };
  const free = above(boxes.map(({ box }) => box));
  const edge = free - height >= floor * headings ? free : above(barsOf(boxes));
  return floor - edge;
}

function barsOf(boxes: readonly { one: Element; box: DOMRect }[]): DOMRect[] {
  return boxes.flatMap(({ one, box }) => (one.hasAttribute('data-bar') ? [box] : []));
}
