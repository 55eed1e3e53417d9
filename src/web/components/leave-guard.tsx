import { useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { m } from '#/texts/messages.js';
import { guardLeaving } from '../leaving.ts';
import { AlertDialog } from './alert-dialog.tsx';

/**
 * Asks before a page is left on which something was changed that isn't saved, also by signing out: nothing of it is kept
 * anywhere else. With `parts`, each part of the page that the address names by `tab` is left like a page.
 */
export function LeaveGuard({ unsaved, parts = false }: { unsaved: boolean; parts?: boolean }) {
  const [answer, setAnswer] = useState<((leaves: boolean) => void) | null>(null);
  const left = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      unsaved && !left.current && (from.pathname !== to.pathname || (parts && tabOf(from) !== tabOf(to))),
  );
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    const release = guardLeaving(async (act) => {
      const leaves = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
      setAnswer(null);
      // Whoever has gone isn't asked again by the way to where they are led then.
      left.current = leaves && (await act());
      return left.current;
    });
    return () => {
      window.removeEventListener('beforeunload', ask);
      release();
    };
  }, [unsaved]);
  return (
    <AlertDialog
      open={blocker.state === 'blocked' || answer !== null}
      onOpenChange={() => {
        blocker.reset?.();
        answer?.(false);
      }}
      title={m.web_leave_title()}
      description={m.web_leave_text()}
      confirmLabel={m.web_leave_confirm()}
      cancelLabel={m.web_leave_stay()}
      onConfirm={() => {
        blocker.proceed?.();
        answer?.(true);
      }}
    />
  );
}

function tabOf({ search }: { search: string }): string | null {
  return new URLSearchParams(search).get('tab');
}
