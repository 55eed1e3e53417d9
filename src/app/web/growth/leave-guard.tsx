import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { m } from '#/texts/messages.js';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';

/** Asks before a page is left on which something was written that isn't saved: nothing of it is kept anywhere else. */
export function LeaveGuard({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => unsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
  return (
    <AlertDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => {
        if (!open && blocker.state === 'blocked') blocker.reset();
      }}
      title={m.growth_leave_title()}
      description={m.growth_leave_text()}
      confirmLabel={m.growth_leave_confirm()}
      cancelLabel={m.growth_leave_stay()}
      onConfirm={() => {
        if (blocker.state === 'blocked') blocker.proceed();
      }}
    />
  );
}
