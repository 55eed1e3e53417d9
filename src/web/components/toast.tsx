import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { ShownToast, Toast } from './toast-view.tsx';

/** Loaded after hydration: its markup has inline styles, which the CSP blocks in HTML. */
type View = ComponentType<{ toasts: ShownToast[]; onGone: (id: number) => void }>;

interface Show {
  /** Returns a function that closes the toast. */
  (toast: Toast): () => void;
  done: (title: string, description?: string) => () => void;
  failed: (title: string, description?: string) => () => void;
}

const ToastContext = createContext<((toast: Toast) => () => void) | null>(null);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([]);
  const [view, setView] = useState<{ View: View } | null>(null);
  const [offline, setOffline] = useState(false);
  const lastId = useRef(0);

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

  const forget = useCallback((id: number) => setToasts((shown) => shown.filter((one) => one.id !== id)), []);
  const show = useCallback(
    (next: Toast) => {
      lastId.current += 1;
      const id = lastId.current;
      // Merges identical toasts without actions; shows at most three.
      setToasts((shown) =>
        [
          ...shown.filter(
            (one) => one.action || one.title !== next.title || one.description !== next.description,
          ),
          { ...next, id },
        ].slice(-3),
      );
      return () => forget(id);
    },
    [forget],
  );

  const last = toasts.at(-1);
  return (
    <ToastContext value={show}>
      {children}
      {view && <view.View toasts={toasts} onGone={forget} />}
      {/* Fallback if the view can't be loaded. */}
      {offline && !view && last && (
        <p
          role="alert"
          className="fixed inset-x-3 bottom-20 z-60 rounded-card border border-line bg-card px-4 py-3 shadow-soft sm:inset-x-auto sm:left-5 sm:w-84"
        >
          <span className="block font-semibold">{last.title}</span>
          {last.description}
        </p>
      )}
    </ToastContext>
  );
}

export function useToast(): { toast: Show } {
  const show = use(ToastContext);
  if (!show) throw new Error('useToast needs a ToastProvider around it');
  const toast: Show = useMemo(
    () =>
      Object.assign((next: Toast) => show(next), {
        done: (title: string, description?: string) => show({ tone: 'success', title, description }),
        failed: (title: string, description?: string) => show({ tone: 'destructive', title, description }),
      }),
    [show],
  );
  return { toast };
}
