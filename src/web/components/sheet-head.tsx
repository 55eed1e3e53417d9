import { X } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

/** Title and close button of a popover; its `aria-labelledby` is `${id}-title`. */
export function SheetHead({ id, title, className }: { id: string; title: string; className?: string }) {
  return (
    <div className={classes('flex justify-between', className)}>
      <h2 id={`${id}-title`} className="text-xl">
        {title}
      </h2>
      <button
        type="button"
        popoverTarget={id}
        popoverTargetAction="hide"
        aria-label={m.web_close()}
        className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-sunken hover:text-ink"
      >
        <X className="size-5" />
      </button>
    </div>
  );
}
