import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useBlocker } from 'react-router';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';

interface Unsaved {
  /** Whether something was typed that isn't saved. */
  mark: (unsaved: boolean) => void;
  /** Goes on at once, or after the person has said that what they typed may be lost. */
  guard: (goOn: () => void) => void;
}

const UnsavedContext = createContext<Unsaved | null>(null);

/** Asks before somebody leaves the page with something that they typed and haven't saved. */
export function UnsavedProvider({ children }: { children: ReactNode }) {
  const [unsaved, setUnsaved] = useState(false);
  const [waiting, setWaiting] = useState<{ goOn: () => void } | null>(null);
  const leaving = useRef(false);
  // Another tab of the same page keeps what was typed.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved && !leaving.current && currentLocation.pathname !== nextLocation.pathname,
  );

  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);

  const guard = useCallback(
    (goOn: () => void) => {
      if (unsaved) setWaiting({ goOn });
      else goOn();
    },
    [unsaved],
  );
  const stay = () => {
    blocker.reset?.();
    setWaiting(null);
  };
  const leave = () => {
    leaving.current = true;
    setWaiting(null);
    if (blocker.state === 'blocked') blocker.proceed();
    else waiting?.goOn();
  };
  return (
    <UnsavedContext value={useMemo(() => ({ mark: setUnsaved, guard }), [guard])}>
      {children}
      <AlertDialog
        open={waiting !== null || blocker.state === 'blocked'}
        onOpenChange={(open) => {
          if (!open) stay();
        }}
        title={m.profile_unsaved_title()}
        description={m.profile_unsaved_text()}
        cancelLabel={m.profile_unsaved_stay()}
        confirmLabel={m.profile_unsaved_leave()}
        onConfirm={leave}
      />
    </UnsavedContext>
  );
}

/** Says what isn't saved yet, and asks before it would be lost. */
export function useUnsaved(): Unsaved {
  const unsaved = use(UnsavedContext);
  if (!unsaved) throw new Error('useUnsaved needs an UnsavedProvider around it');
  return unsaved;
}
