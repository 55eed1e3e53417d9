import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import type { ShownToast, Toast } from './toast-view.tsx';

/** Draws the toasts; loaded after hydration, since its markup carries inline styles that the CSP refuses in HTML. */
type View = ComponentType<{ toasts: ShownToast[]; onGone: (id: number) => void }>;

/** Shows a toast; returns a function that dismisses it. */
type Show = (toast: Toast) => () => void;

const ToastContext = createContext<{ toast: Show } | null>(null);

/** Stands once around the whole page, so that a toast outlives the screen that sent it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([]);
  const [view, setView] = useState<{ View: View } | null>(null);
  const [offline, setOffline] = useState(false);
  const lastId = useRef(0);

  // A page that is only read loads nothing for it; the first press or key fetches it, before there is a toast.
  useEffect(() => {
    const events = ['pointerdown', 'keydown'] as const;
    const load = (event?: Event) => {
      // Whoever opens the crisis lines asks the server for nothing.
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
  const toast: Show = useCallback(
    (next: Toast) => {
      lastId.current += 1;
      const id = lastId.current;
      // The same text shows once unless each can be undone; three toasts at most.
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
    <ToastContext value={useMemo(() => ({ toast }), [toast])}>
      {children}
      {view && <view.View toasts={toasts} onGone={forget} />}
      {/* Without the server, which has to send the view, it is said plainly. */}
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

/** Gives `toast()`, which tells the person about something that has happened without stopping them. */
export function useToast(): { toast: Show } {
  const context = use(ToastContext);
  if (!context) throw new Error('useToast needs a ToastProvider around it');
  return context;
}
