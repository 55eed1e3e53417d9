import { ArrowDown } from 'lucide-react';
import type { RefObject } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { useKeeper } from './messaging-acts.ts';

/** Scrolls to the latest message, loading it if need be. */
export function LatestButton({
  box,
  conversationId,
  reachesEnd,
  unseenCount,
  onScrolled,
}: {
  box: RefObject<HTMLDivElement | null>;
  conversationId: string;
  /** The latest message is loaded. */
  reachesEnd: boolean;
  unseenCount: number;
  onScrolled: () => void;
}) {
  const keeper = useKeeper();
  const scroll = ({ currentTarget }: { currentTarget: Element }) => {
    // Move focus: the button is about to disappear.
    if (document.activeElement === currentTarget) box.current?.focus({ preventScroll: true });
    if (reachesEnd) box.current?.scrollTo({ top: 0 });
    else
      void keeper.loadLatest(conversationId).then(
        () =>
          requestAnimationFrame(() => {
            box.current?.scrollTo({ top: 0, behavior: 'instant' });
            // Messages may render before the scroll event.
            onScrolled();
          }),
        () => undefined,
      );
  };
  return (
    <Button
      variant="secondary"
      aria-label={labelOf(unseenCount)}
      onClick={scroll}
      className="absolute right-4 bottom-3 animate-fade rounded-full! px-3! shadow-soft"
    >
      {unseenCount > 0 && <span aria-hidden>{unseenCount}</span>}
      <ArrowDown />
    </Button>
  );
}

function labelOf(unseenCount: number): string {
  if (unseenCount === 0) return m.messaging_to_latest();
  return m.messaging_to_latest_count({ count: unseenCount });
}
