import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import * as Radix from '@radix-ui/react-toast';
import { m } from '#/texts/messages.js';
import { classes } from './classes.ts';
import { useEffect, useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';

export type Toast = {
  title: string;
  description?: string;
  tone?: 'success' | 'destructive' | 'info';
  action?: { label: string; altText: string; onSelect: () => void };
};

export type ShownToast = Toast & { id: number };

const tones = {
  success: { Icon: CircleCheck, mark: 'text-sage' },
  destructive: { Icon: CircleAlert, mark: 'text-clay' },
  info: { Icon: Info, mark: 'text-primary' },
};

export function ToastView({ toasts, onGone }: { toasts: ShownToast[]; onGone: (id: number) => void }) {
  const list = useToastPlace();
  const remember = useFocusReturn(list, toasts.length);
  return (
    <Radix.Provider label={m.web_toast_label()} swipeDirection="right">
      {toasts.map(({ id, title, description, action, tone = 'info' }) => {
        const { Icon, mark } = tones[tone];
        return (
          <Radix.Root
            key={id}
            type={tone === 'destructive' ? 'foreground' : 'background'}
            // For slow readers; hover and focus pause it.
            duration={tone === 'destructive' || action ? 12_000 : 7_000}
            onOpenChange={(open) => {
              if (!open) onGone(id);
            }}
            className={classes(
              'pointer-events-auto flex animate-rise items-start gap-3 rounded-card border border-line bg-card py-2 pr-1.5 pl-4 text-ink shadow-soft',
              'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=cancel]:translate-x-0',
            )}
          >
            <Icon className={classes('mt-2.5 size-5 shrink-0', mark)} />
            <div className="min-w-0 flex-1 py-2">
              <Radix.Title className="font-semibold">{title}</Radix.Title>
              {description && <Radix.Description className="text-quiet">{description}</Radix.Description>}
              {action && (
                <Radix.Action
                  altText={action.altText}
                  onClick={action.onSelect}
                  className="-ml-2 min-h-11 rounded-control px-2 font-semibold text-primary hover:text-primary-strong"
                >
                  {action.label}
                </Radix.Action>
              )}
            </div>
            <Radix.Close
              aria-label={m.web_dismiss()}
              className="grid size-11 shrink-0 place-items-center rounded-control text-quiet hover:bg-sunken hover:text-ink"
            >
              <X className="size-5" />
            </Radix.Close>
          </Radix.Root>
        );
      })}
      <Radix.Viewport
        ref={list}
        onFocus={remember}
        label={m.web_notifications()}
        // Keeps toasts readable while a dialog hides the rest: it spares live regions. Radix announces them itself.
        aria-live="off"
        className="pointer-events-none fixed inset-x-3 z-60 m-0 flex list-none flex-col gap-2 outline-none empty:hidden sm:right-5 sm:left-auto sm:w-96"
      />
    </Radix.Provider>
  );
}

/** Returns focus once the last toast is gone. */
function useFocusReturn(list: RefObject<HTMLOListElement | null>, count: number) {
  const before = useRef<HTMLElement>(null);
  useEffect(() => {
    const focused = document.activeElement;
    if (count > 0 || !before.current || (focused !== document.body && focused !== list.current)) return;
    const hadFocus = before.current !== document.body && before.current.isConnected;
    const target = hadFocus ? before.current : document.getElementById('content');
    target?.focus({ preventScroll: true });
    before.current = null;
  }, [count, list]);
  return ({ relatedTarget, currentTarget }: FocusEvent) => {
    const from = relatedTarget instanceof HTMLElement ? relatedTarget : document.body;
    if (!currentTarget.contains(from)) before.current = from;
  };
}

const gap = 12;
/** Top share of the window reserved for headings. */
const headings = 0.35;
/** Elements toasts must not cover: bottom bars, questions, primary and destructive buttons. */
const keptVisible = '[data-bar], [role=alertdialog], button.bg-primary, a.bg-primary, button.bg-clay';

/** Positions toasts at the bottom of the visual viewport: above the keyboard, bars and main buttons, below headings. */
function useToastPlace(): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const view = window.visualViewport;
    const place = () => {
      const toasts = list.current;
      if (!toasts) return;
      const floor = view ? view.offsetTop + view.height : window.innerHeight;
      const bottom = window.innerHeight - floor + clearance(toasts, floor);
      toasts.style.bottom = `${Math.round(bottom)}px`;
    };
    place();
    const sizes = new ResizeObserver(place);
    if (list.current) sizes.observe(list.current);
    // Dialogs mount as children of body.
    const dialogs = new MutationObserver(place);
    dialogs.observe(document.body, { childList: true });
    view?.addEventListener('resize', place);
    view?.addEventListener('scroll', place);
    window.addEventListener('resize', place);
    return () => {
      sizes.disconnect();
      dialogs.disconnect();
      view?.removeEventListener('resize', place);
      view?.removeEventListener('scroll', place);
      window.removeEventListener('resize', place);
    };
  }, []);
  return list;
}

/**
 * Returns the distance from the bottom edge that clears all obstacles, or only bars if toasts would reach the headings.
 */
function clearance(toasts: HTMLElement, floor: number): number {
  const { left, right, height } = toasts.getBoundingClientRect();
  const boxes = [...document.querySelectorAll(keptVisible)].flatMap((one) => {
    const box = one.getBoundingClientRect();
    const isSeen = box.height > 0 && box.top < floor && box.bottom > 0;
    return isSeen && box.right > left && box.left < right && !toasts.contains(one) ? [{ one, box }] : [];
  });
  const above = (obstacles: readonly DOMRect[]) => {
    let edge = floor - gap;
    for (;;) {
      const hit = obstacles.find(({ top, bottom }) => top < edge && bottom > edge - height);
      if (!hit) return edge;
      edge = hit.top - gap;
    }
  };
  const free = above(boxes.map(({ box }) => box));
  const edge = free - height >= floor * headings ? free : above(barsOf(boxes));
  return floor - edge;
}

function barsOf(boxes: readonly { one: Element; box: DOMRect }[]): DOMRect[] {
  return boxes.flatMap(({ one, box }) => (one.hasAttribute('data-bar') ? [box] : []));
}
