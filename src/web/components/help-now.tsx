import { LifeBuoy, MessageCircle, Phone, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { m } from '#/texts/messages.js';
import { SheetHead } from './sheet-head.tsx';
import { classes } from './classes.ts';

/**
 * Opens the crisis lines. A native popover: works before and without JavaScript, above dialogs, and restores focus.
 * `compact` shows only the icon on phones, `brief` shortens the label on the narrowest. For privacy, makes no requests.
 */
export function HelpNow({
  className,
  compact = false,
  brief = false,
}: {
  className?: string;
  compact?: boolean;
  brief?: boolean;
}) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className={classes(
          'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-control px-2 text-sm font-semibold text-clay hover:text-clay-strong',
          brief && 'max-[22.5rem]:max-w-[27vw] max-[22.5rem]:shrink-0 max-[22.5rem]:px-1',
          className,
        )}
      >
        <LifeBuoy className="size-4.5 shrink-0" />
        <span
          className={classes(
            'whitespace-nowrap',
            compact && 'max-sm:sr-only',
            brief && 'max-[22.5rem]:sr-only',
          )}
        >
          {m.web_help_open()}
        </span>
        {brief && (
          <span aria-hidden className="min-[22.5rem]:hidden">
            {m.web_help_open_short()}
          </span>
        )}
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-labelledby={`${id}-title`}
        className="fixed inset-x-0 top-auto bottom-0 m-0 max-h-dvh w-full overflow-y-auto rounded-t-card bg-card p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))] text-left text-base font-normal text-ink shadow-soft backdrop:bg-scrim open:animate-sheet sm:inset-0 sm:m-auto sm:h-fit sm:max-w-md sm:rounded-card sm:p-6 sm:open:animate-rise"
      >
        <SheetHead
          id={id}
          title={m.web_help_title()}
          className="items-start gap-3 [&>button]:-mt-1 [&>button]:-mr-2 [&>h2]:pt-1.5"
        />
        <p className="mt-1 text-quiet">{m.web_help_text()}</p>
        <CrisisLines className="mt-4" />
        <p className="mt-4 text-sm text-quiet">{m.web_help_elsewhere()}</p>
      </div>
    </>
  );
}

/** Crisis lines (client spec, section 9), each one tap from a call or text. */
export function CrisisLines({ className }: { className?: string }) {
  const lines = [
    {
      href: 'tel:988',
      Icon: Phone,
      name: m.web_help_988_name(),
      text: m.web_help_988_text(),
    },
    {
      href: 'sms:741741?&body=HOME',
      Icon: MessageCircle,
      name: m.web_help_text_name(),
      text: m.web_help_text_text(),
    },
    {
      href: 'tel:911',
      Icon: TriangleAlert,
      name: m.web_help_911_name(),
      text: m.web_help_911_text(),
    },
  ];
  return (
    <ul className={classes('grid gap-2.5', className)}>
      {lines.map(({ href, Icon, name, text }) => (
        <li key={href}>
          <a
            href={href}
            className="flex min-h-15 items-center gap-4 rounded-control border border-control px-4 py-2.5 hover:bg-sunken"
          >
            <Icon className="size-5 shrink-0 text-clay" />
            <span className="min-w-0">
              <span className="block font-semibold">{name}</span>
              <span className="block text-sm text-quiet">{text}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
