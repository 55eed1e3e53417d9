import { useEffect, useRef, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';

export function SaveBar({
  busy,
  onSave,
  onDiscard,
  onPreview,
  children,
}: {
  busy: boolean;
  onSave: () => void;
  onDiscard: () => void;
  onPreview: () => void;
  children?: ReactNode;
}) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    // Scroll focused fields above the bar.
    const sizes = new ResizeObserver(() => {
      const { top } = bar.current?.getBoundingClientRect() ?? { top: window.innerHeight };
      style.scrollPaddingBottom = `${window.innerHeight - top + 16}px`;
    });
    if (bar.current) sizes.observe(bar.current);
    return () => {
      sizes.disconnect();
      style.scrollPaddingBottom = '';
    };
  }, []);
  return (
    <>
      {/* Spacer so the fixed bar covers no content. */}
      <div aria-hidden className="h-24" />
      <section
        ref={bar}
        data-bar
        aria-label={m.availability_unsaved()}
        className="fixed inset-x-0 bottom-[calc(4rem+env(safe-area-inset-bottom))] z-20 border-t border-line bg-card shadow-soft lg:bottom-0"
      >
        <div className="mx-auto grid max-w-page gap-3 px-4 py-3 sm:px-6">
          {children}
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="text-quiet max-sm:sr-only">{m.availability_unsaved()}</p>
            <div className="flex flex-1 flex-wrap items-center justify-end gap-2">
              <Button variant="quiet" size="sm" className="mr-auto xl:hidden" onClick={onPreview}>
                {m.availability_see_preview()}
              </Button>
              <Button variant="secondary" onClick={onDiscard} size="sm">
                {m.availability_discard()}
              </Button>
              <Button busy={busy} onClick={onSave} size="sm">
                {m.web_save_changes()}
              </Button>
            </div>
          </div>
        </div>
      </section>
    </>
  );
}
