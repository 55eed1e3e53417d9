import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import type { ShownToast, Toast } from './toast-view.tsx';

/** Loaded after hydration: its markup has inline styles, which the CSP blocks in HTML. */
type View = ComponentType<{ toasts: ShownToast[]; onGone: (id: number) => void }>;

const none: ShownToast[] = [];
let toasts = none;
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function close(id: number): void {
  change(toasts.filter((one) => one.id !== id));
}

/** Returns a function that closes the toast. */
function show(next: Toast): () => void {
  lastId += 1;
  const id = lastId;
  // Merges identical toasts; successes drop errors; shows three.
  const others = toasts.filter(
    (one) =>
      one.action ||
      (one.title === next.title
        ? one.description !== next.description
        : next.tone !== 'success' || one.tone !== 'destructive'),
  );
  change([...others, { ...next, id }].slice(-3));
  return () => close(id);
}

const toned = (tone: Toast['tone']) => (title: string, description?: string) =>
  show({ tone, title, description });

export const toast = Object.assign(show, { done: toned('success'), failed: toned('destructive') });

export function Toasts() {
  const shown = useSyncExternalStore(
    subscribe,
    () => toasts,
    () => none,
  );
  const [view, setView] = useState<{ View: View } | null>(null);
  const [offline, setOffline] = useState(false);

  // Loads the view on first interaction: pages that are only read never need it.
  useEffect(() => {
    const events = ['pointerdown', 'keydown'] as const;
    const load = (event?: Event) => {
      // Opening the crisis lines must make no requests.
      if (event?.target instanceof Element && event.target.closest('[popovertarget],[popover]')) return;
      for (const one of events) window.removeEventListener(one, load);
      import('./toast-view.tsx').then(
        ({ ToastView }) => setView({ View: ToastView }),
        () => setOffline(true),
      );
    };
    if (shown.length > 0 && !view) load();
    else if (!view) for (const one of events) window.addEventListener(one, load);
    return () => {
      for (const one of events) window.removeEventListener(one, load);
    };
  }, [shown.length, view]);
  useEffect(() => () => change(none), []);

  const last = shown.at(-1);
  if (view) return <view.View toasts={shown} onGone={close} />;
  // Fallback if the view can't be loaded.
  return (
    offline &&
    last && (
      <p
        role="alert"
        className="fixed inset-x-3 bottom-20 z-60 rounded-card border border-line bg-card p-4 shadow-soft"
      >
        <span className="block font-semibold">{last.title}</span>
        {last.description}
      </p>
    )
  );
}
