import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';

/** Stays in view while settings are edited. */
export function UnsavedBar({
  count,
  busy,
  onDiscard,
}: {
  /** Settings not saved yet. */
  count: number;
  busy: boolean;
  onDiscard: () => void;
}) {
  return (
    <div
      data-bar
      className="sticky bottom-[calc(4rem+env(safe-area-inset-bottom))] z-10 -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-card px-4 py-3 shadow-soft sm:mx-0 sm:rounded-card sm:border lg:bottom-3"
    >
      <p role="status" className="mr-auto text-quiet">
        {count > 0 ? m.settings_unsaved_count({ count }) : m.settings_nothing_unsaved()}
      </p>
      {count > 0 && (
        <Button variant="quiet" size="sm" onClick={onDiscard}>
          {m.settings_discard()}
        </Button>
      )}
      <Button type="submit" size="sm" disabled={count === 0} busy={busy}>
        {m.settings_save()}
      </Button>
    </div>
  );
}
