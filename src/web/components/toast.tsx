import { createContext, use, useEffect, useState } from 'react';
import type { ComponentType, Dispatch, ReactNode, SetStateAction } from 'react';
import type { ShownToast, Toast } from './toast-view.tsx';

/** Loaded after hydration: its markup has inline styles, which the CSP blocks in HTML. */
type View = ComponentType<{ toasts: ShownToast[]; onGone: (id: number) => void }>;

interface Show {
  /** Returns a function that closes the toast. */
  (toast: Toast): () => void;
  done: (title: string, description?: string) => () => void;
  failed: (title: string, description?: string) => () => void;
}

const ToastContext = createContext<Show | null>(null);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([]);
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
    if (toasts.length > 0 && !view) load();
    else if (!view) for (const one of events) window.addEventListener(one, load);
    return () => {
      for (const one of events) window.removeEventListener(one, load);
    };
  }, [toasts.length, view]);

  const [toast] = useState(() => showIn(setToasts));
  const last = toasts.at(-1);
  return (
    <ToastContext value={toast}>
      {children}
      {view && <view.View toasts={toasts} onGone={(id) => setToasts(without(id))} />}
      {/* Fallback if the view can't be loaded. */}
      {offline && !view && last && (
        <p
          role="alert"
          className="fixed inset-x-3 bottom-20 z-60 rounded-card border border-line bg-card p-4 shadow-soft"
        >
          <span className="block font-semibold">{last.title}</span>
          {last.description}
        </p>
      )}
    </ToastContext>
  );
}

let lastId = 0;

function showIn(setToasts: Dispatch<SetStateAction<ShownToast[]>>): Show {
  const show = (next: Toast) => {
    lastId += 1;
    const id = lastId;
    // Merges identical toasts; shows at most three.
    setToasts((shown) =>
      [
        ...shown.filter(
          (one) => one.action || one.title !== next.title || one.description !== next.description,
        ),
        { ...next, id },
      ].slice(-3),
    );
    return () => setToasts(without(id));
  };
  const toned = (tone: Toast['tone']) => (title: string, description?: string) =>
    show({ tone, title, description });
  return Object.assign(show, { done: toned('success'), failed: toned('destructive') });
}

const without = (id: number) => (shown: ShownToast[]) => shown.filter((one) => one.id !== id);

export function useToast(): { toast: Show } {
  return { toast: use(ToastContext)! };
}
