import { useEffect } from 'react';
import { endReauthentication, useReauthenticationAsked } from '#/web/fresh-session.ts';
import { lazyPart } from '#/web/lazy-part.tsx';

const ReauthenticationDialog = lazyPart(
  async () => (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
);

export function ReauthenticationWatch() {
  const asked = useReauthenticationAsked();
  // Cancels the pending request when the session ends.
  useEffect(() => () => endReauthentication(false), []);
  return (
    asked && (
      <ReauthenticationDialog
        fully={asked.fully}
        onConfirmed={() => endReauthentication(true)}
        onClose={() => endReauthentication(false)}
      />
    )
  );
}
