import { cloneElement, useEffect, useId, useRef, useState } from 'react';
import type { ComponentProps, KeyboardEvent, ReactElement, ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { classes } from './classes.ts';

export type MenuItem = {
  label: string;
  icon?: ReactNode;
  tone?: 'destructive';
  disabled?: boolean;
} & ({ onSelect: () => void } | { href: string });

/**
 * A menu button. A native popover: above dialogs, in its landmark, closed by Escape or a click outside. Arrow keys, Home,
 * End and first letters move the focus.
 */
export function Menu({
  trigger,
  items,
}: {
  trigger: ReactElement<ComponentProps<'button'>>;
  items: readonly MenuItem[];
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  // Pressing the button while the menu is open has closed it before the click.
  const openAtPress = useRef(false);

  useEffect(() => {
    if (!open) return;
    const place = () => {
      if (menu.current && button.current) placeBeside(button.current, menu.current);
    };
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [open]);

  const show = () => {
    if (!menu.current || !button.current) return;
    flushSync(() => setOpen(true));
    menu.current.showPopover();
    placeBeside(button.current, menu.current);
    choicesIn(menu.current)[0]?.focus();
  };
  const press = () => {
    if (!openAtPress.current) show();
    openAtPress.current = false;
  };
  const choose = (item: MenuItem) => {
    menu.current?.hidePopover();
    // Dialogs opened here return focus to the button.
    if ('onSelect' in item) item.onSelect();
  };

  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        id: `${id}-button`,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
        onPointerDown: () => (openAtPress.current = open),
        onClick: press,
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show();
        },
      })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-labelledby={`${id}-button`}
        onBeforeToggle={({ newState }) => {
          if (newState === 'open') return;
          if (menu.current?.contains(document.activeElement)) button.current?.focus();
          setOpen(false);
        }}
        onKeyDown={(event) => moveFocus(event, menu.current)}
        className="fixed inset-auto m-0 max-h-[calc(100dvh-1.5rem)] min-w-[min(13rem,100vw-1.5rem)] max-w-[calc(100vw-1.5rem)] overflow-y-auto rounded-card border border-line bg-card p-1.5 text-base font-normal text-ink shadow-soft open:animate-fade"
      >
        {open && items.map((item) => <Item key={item.label} item={item} onChoose={() => choose(item)} />)}
      </div>
    </>
  );
}

function Item({ item, onChoose }: { item: MenuItem; onChoose: () => void }) {
  const shared = {
    role: 'menuitem',
    tabIndex: -1,
    onClick: onChoose,
    onPointerMove: ({ currentTarget }: { currentTarget: HTMLElement }) =>
      currentTarget.focus({ preventScroll: true }),
    className: classes(
      'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-control px-3 text-left wrap-anywhere outline-none select-none [&_svg]:size-5 [&_svg]:shrink-0',
      'disabled:cursor-not-allowed disabled:text-quiet',
      item.tone === 'destructive'
        ? 'text-clay focus:bg-clay-soft'
        : 'focus:bg-primary-soft [&_svg]:text-quiet',
    ),
  };
  return 'href' in item ? (
    <a {...shared} href={item.href}>
      {item.icon}
      {item.label}
    </a>
  ) : (
    <button {...shared} type="button" disabled={item.disabled}>
      {item.icon}
      {item.label}
    </button>
  );
}

function choicesIn(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]:not(:disabled)')];
}

function moveFocus(event: KeyboardEvent, menu: HTMLElement | null): void {
  if (!menu) return;
  const { key } = event;
  // Focus returns to the button, and Tab goes on from there.
  if (key === 'Tab') menu.hidePopover();
  const choices = choicesIn(menu);
  const at = choices.findIndex((one) => one === document.activeElement);
  const next = {
    ArrowDown: choices[at + 1],
    ArrowUp: choices.at(at < 0 ? -1 : Math.max(at - 1, 0)),
    Home: choices[0],
    PageUp: choices[0],
    End: choices.at(-1),
    PageDown: choices.at(-1),
  }[key];
  const isLetter = key.length === 1 && key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;
  const named = isLetter
    ? [...choices.slice(at + 1), ...choices.slice(0, at + 1)].find((one) =>
        one.textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
      )
    : undefined;
  (next ?? named)?.focus();
  // Links don't follow Space by themselves.
  if (key === ' ' && choices[at] instanceof HTMLAnchorElement) choices[at].click();
  const isScrolling = key.startsWith('Arrow') || key.startsWith('Page') || key === 'Home' || key === 'End';
  if (isScrolling || (key === ' ' && choices[at] instanceof HTMLAnchorElement)) event.preventDefault();
}

const gap = 6;
const margin = 12;

/** Puts the menu below the button, or above it where that leaves more room, with their right edges in line. */
function placeBeside(button: HTMLElement, menu: HTMLElement): void {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = window.innerHeight - bottom - gap - margin;
  const above = top - gap - margin;
  const y = height <= below || below >= above ? bottom + gap : top - gap - height;
  const x = Math.min(right, window.innerWidth - margin) - width;
  menu.style.top = `${Math.round(Math.max(Math.min(y, window.innerHeight - margin - height), margin))}px`;
  menu.style.left = `${Math.round(Math.max(x, margin))}px`;
}
