import { MessageCircle, Phone, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type MouseEvent } from 'react';
import { mentionsSelfHarm } from '#/kernel/self-harm.ts';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';

/**
 * Shows crisis lines once text mentions suicide or self-harm; they stay after sending, until closed. Nothing is blocked
 * or reported.
 */
export function CrisisHelp({ text, className }: { text: string; className?: string }) {
  const found = useMemo(() => mentionsSelfHarm(text), [text]);
  const [wasFound, setWasFound] = useState(false);
  const [shown, setShown] = useState(false);
  if (found !== wasFound) {
    setWasFound(found);
    if (found) setShown(true);
  }
  const lines = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shown) lines.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  const close = ({ currentTarget }: MouseEvent) => {
    // Refocuses the text field: the button disappears.
    const form = currentTarget.closest('form, [role=alertdialog]');
    (form?.querySelector('textarea') ?? form?.querySelector('input'))?.focus();
    setShown(false);
  };
  // Live regions must exist before their content for screen readers to announce it.
  return (
    <div ref={lines} aria-live="polite" className="scroll-mb-24 lg:scroll-mb-6">
      {shown && <Lines className={className} onClose={close} />}
    </div>
  );
}

function Lines({ className, onClose }: { className?: string; onClose: (event: MouseEvent) => void }) {
  return (
    <div className={classes('relative rounded-control bg-clay-soft px-4 py-3 text-base text-ink', className)}>
      <p className="pr-9 font-semibold">{m.web_crisis_title()}</p>
      <p className="mt-0.5 text-sm">{m.web_crisis_text()}</p>
      <ul className="mt-2 flex flex-wrap gap-2">
        <li>
          <a href="tel:988" className={line}>
            <Phone className="size-4.5 shrink-0 text-clay" />
            {m.web_crisis_call()}
          </a>
        </li>
        <li>
          <a href="sms:988" className={line}>
            <MessageCircle className="size-4.5 shrink-0 text-clay" />
            {m.web_crisis_write()}
          </a>
        </li>
        <li>
          <a href="tel:911" className={line}>
            <Phone className="size-4.5 shrink-0 text-clay" />
            {m.web_crisis_danger()}
          </a>
        </li>
      </ul>
      <p lang="es" className="mt-1 flex flex-wrap items-center gap-x-4 text-sm">
        {m.web_crisis_spanish()}
        <a href="tel:988" className={link}>
          {m.web_crisis_spanish_call()}
        </a>
        <a href="sms:988?&body=AYUDA" className={link}>
          {m.web_crisis_spanish_write()}
        </a>
      </p>
      <p className="text-sm text-quiet">{m.web_crisis_private()}</p>
      <button
        type="button"
        aria-label={m.web_crisis_close()}
        onClick={onClose}
        className="absolute top-0 right-0 grid size-11 place-items-center rounded-control text-quiet hover:text-ink"
      >
        <X className="size-5" />
      </button>
    </div>
  );
}

const line =
  'inline-flex min-h-11 items-center gap-2 rounded-control border border-control bg-card px-3.5 font-semibold hover:bg-sunken';
const link = 'inline-flex min-h-11 items-center font-semibold underline';
