import { useEffect, useRef, useState } from 'react';
import { useBlocker } from 'react-router';
import { m } from '#/texts/messages.js';
import { guardLeaving } from '../leaving.ts';
import { AlertDialog } from './alert-dialog.tsx';

/**
 * Warns about unsaved changes before navigating away or signing out. With `part`, also guards changing that query
 * parameter.
 */
export function LeaveGuard({ unsaved, part }: { unsaved: boolean; part?: string }) {
  const partOf = ({ search }: { search: string }) => part && new URLSearchParams(search).get(part);
  const [answer, setAnswer] = useState<((leaves: boolean) => void) | null>(null);
  const left = useRef(false);
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      unsaved &&
      !left.current &&
      (from.pathname !== to.pathname || (part !== undefined && partOf(from) !== partOf(to))),
  );
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    const release = guardLeaving(async (act) => {
      const leaves = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
      setAnswer(null);
      // Skips a second prompt on the following navigation.
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
