import { ChevronDown } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { m } from '#/texts/messages.js';

const lists = [
  {
    title: m.words_protects,
    lines: [m.words_protects_copies, m.words_protects_administrators, m.words_protects_mailbox],
  },
  {
    title: m.words_protects_not,
    lines: [
      m.words_protects_not_server,
      m.words_protects_not_password,
      m.words_protects_not_device,
      m.words_protects_not_backups,
      m.words_protects_not_metadata,
    ],
  },
];

/** What the lock protects (docs/decisions/0030). */
export function WordsProtection() {
  const linked = useLocation().hash === '#protection';
  const details = useRef<HTMLDetailsElement>(null);
  // Loaded after the browser looked for it.
  useEffect(() => {
    if (!linked) return;
    details.current!.open = true;
    details.current!.querySelector('summary')!.focus();
  }, [linked]);
  return (
    <details ref={details} id="protection" className="group scroll-mt-24">
      <summary className="flex min-h-11 scroll-mt-24 cursor-pointer list-none items-center gap-2 rounded-control font-semibold text-primary [&::-webkit-details-marker]:hidden">
        {m.words_protection()}
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 transition-transform duration-150 group-open:rotate-180"
        />
      </summary>
      <div className="mt-2 grid gap-x-8 gap-y-5 sm:grid-cols-2">
        {lists.map(({ title, lines }) => (
          <div key={title()}>
            <h3 className="text-lg">{title()}</h3>
            <ul className="mt-1 list-disc space-y-2 pl-5">
              {lines.map((line) => (
                <li key={line()}>{line()}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </details>
  );
}
