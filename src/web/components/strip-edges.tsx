import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { classes } from './classes.ts';

/** Shows where a strip of tabs or links goes on, and centers the current one. Place it beside the strip, whose items have the IDs `tab-VALUE`. */
export function StripEdges({ list, value }: { list: RefObject<HTMLElement | null>; value: string }) {
  const [more, setMore] = useState({ left: false, right: false });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element;
      const now = { left: scrollLeft > 8, right: scrollLeft + clientWidth < scrollWidth - 8 };
      setMore((last) => (last.left === now.left && last.right === now.right ? last : now));
    };
    // Also fires for the initial size.
    const sizes = new ResizeObserver(() => {
      const tab = document.getElementById(`tab-${value}`);
      // Scrolls only the list, not the page. Centers the selected tab to reveal its neighbors.
      if (tab) element.scrollTo({ left: tab.offsetLeft - (element.clientWidth - tab.offsetWidth) / 2 });
      look();
    });
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [list, value]);
  return (
    <>
      <Edge side="left" shown={more.left} />
      <Edge side="right" shown={more.right} />
    </>
  );
}

function Edge({ side, shown }: { side: 'left' | 'right'; shown: boolean }) {
  const Chevron = side === 'left' ? ChevronLeft : ChevronRight;
  return (
    <span
      aria-hidden
      className={classes(
        'pointer-events-none absolute inset-y-0 flex w-14 items-center text-quiet',
        side === 'left'
          ? 'left-0 justify-start bg-linear-to-r from-paper from-40% to-transparent'
          : 'right-0 justify-end bg-linear-to-l from-paper from-40% to-transparent',
        !shown && 'hidden',
      )}
    >
      <Chevron className="size-5" />
    </span>
  );
}
