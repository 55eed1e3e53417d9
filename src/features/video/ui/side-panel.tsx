import { X } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';

/** Side panel; covers the videos on phones. */
export function SidePanel({
  title,
  onClose,
  footer,
  children,
}: {
  title: string;
  onClose: () => void;
  footer?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape from whatever has the focus in it
    <section
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      className="absolute inset-0 z-10 flex min-h-0 flex-col bg-card lg:static lg:w-88 lg:shrink-0 lg:border-l lg:border-line"
    >
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-4">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        <button
          type="button"
          onClick={onClose}
          aria-label={m.video_panel_close({ title })}
          className="grid size-11 place-items-center rounded-control text-quiet hover:bg-sunken hover:text-ink"
        >
          <X className="size-5" />
        </button>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keys */}
      <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-3">
        {children}
      </div>
      {footer && <div className="border-t border-line p-3">{footer}</div>}
    </section>
  );
}
