import { useLayoutEffect, useRef, type ComponentProps } from 'react';

/** A place in a list; when it goes while it has the focus, that passes to the heading of its section, not to nowhere. */
export function ListEntry(props: Omit<ComponentProps<'li'>, 'ref'>) {
  const place = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const item = place.current;
    const section = item?.closest('section');
    return () => {
      if (!item?.contains(document.activeElement)) return;
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const heading = section?.isConnected ? section.querySelector<HTMLElement>('h2[tabindex]') : null;
        (heading ?? document.getElementById('content'))?.focus({ preventScroll: true });
      });
    };
  }, []);
  return <li {...props} ref={place} />;
}
