import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { StripEdges } from './strip-edges.tsx';

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  icon?: ReactNode;
  /** Rendered on first opening. */
  content: ReactNode;
}

/**
 * Tabs (WAI-ARIA: a single tab stop; arrow keys, Home and End select). Opened panels keep their state. Avoids inline
 * styles, which a strict CSP blocks in server-rendered HTML.
 */
export function Tabs<Id extends string>({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<readonly Id[]>([value]);
  if (!opened.includes(value)) setOpened([...opened, value]);

  const onKeyDown = (event: KeyboardEvent) => {
    // By focus: key repeat can outrun the URL.
    const at = tabs.findIndex(({ id }) => tabId(id) === document.activeElement?.id);
    const targets: Partial<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = tabs[targets[event.key] ?? -1];
    if (at < 0 || !target) return;
    event.preventDefault();
    onChange(target.id);
    document.getElementById(tabId(target.id))?.focus({ preventScroll: true });
  };

  return (
    <>
      <div className="relative -mx-4 sm:mx-0">
        <div
          ref={list}
          role="tablist"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={onKeyDown}
          className="flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:px-0"
        >
          {tabs.map(({ id, label: name, icon }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={tabId(id)}
              aria-selected={id === value}
              aria-controls={panelId(id)}
              tabIndex={id === value ? 0 : -1}
              onClick={() => onChange(id)}
              className={classes(
                'relative inline-flex min-h-12 shrink-0 items-center gap-2 rounded-t-control px-3.5 font-semibold whitespace-nowrap text-quiet transition-colors duration-150',
                'hover:bg-sunken hover:text-ink focus-visible:-outline-offset-3 [&_svg]:size-4.5',
                'after:absolute after:inset-x-2 after:bottom-0 after:h-0.75 after:rounded-full',
                'aria-selected:text-primary aria-selected:after:bg-primary',
              )}
            >
              {icon}
              {name}
            </button>
          ))}
        </div>
        <StripEdges list={list} value={value} />
      </div>
      {tabs.map(({ id, content }) => (
        <div
          key={id}
          role="tabpanel"
          id={panelId(id)}
          aria-labelledby={tabId(id)}
          hidden={id !== value}
          tabIndex={-1}
          className="outline-none"
        >
          {opened.includes(id) && content}
        </div>
      ))}
    </>
  );
}

function tabId(id: string): string {
  return `tab-${id}`;
}

function panelId(id: string): string {
  return `panel-${id}`;
}
