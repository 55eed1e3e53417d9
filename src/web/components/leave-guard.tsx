import { useEffect, useState } from 'react';
import { m } from '#/texts/messages.js';
import { LeaveBlocker } from '../leave-blocker.tsx';
import { guardLeaving } from '../leaving.ts';
import { AlertDialog } from './alert-dialog.tsx';

/**
 * Warns about unsaved changes before navigating away or signing out. With `part`, also guards changing that query
 * parameter; with `within`, doesn't guard paths that begin with it.
 */
export function LeaveGuard({ unsaved, part, within }: { unsaved: boolean; part?: string; within?: string }) {
  const [answer, setAnswer] = useState<((leaves: boolean) => void) | null>(null);
  useEffect(() => {
    if (!unsaved) return;
    const partOf = ({ search }: { search: string }) => part && new URLSearchParams(search).get(part);
    const prevent = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', prevent);
    const release = guardLeaving({
      covers: (from, to) =>
        (from.pathname !== to.pathname && !(within && to.pathname.startsWith(within))) ||
        partOf(from) !== partOf(to),
      async ask() {
        const leaves = await new Promise<boolean>((resolve) => setAnswer(() => resolve));
        setAnswer(null);
        return leaves;
      },
    });
    return () => {
      window.removeEventListener('beforeunload', prevent);
      release();
    };
  }, [unsaved, part, within]);
  return (
    <>
      {unsaved && <LeaveBlocker />}
      <AlertDialog
        open={answer !== null}
        onOpenChange={() => answer?.(false)}
        title={m.web_leave_title()}
        description={m.web_leave_text()}
        confirmLabel={m.web_leave_confirm()}
        cancelLabel={m.web_leave_stay()}
        onConfirm={() => answer?.(true)}
      />
    </>
  );
}
