import { useEffect } from 'react';
import { endReauthentication, useReauthenticationAsked } from '#/web/fresh-session.ts';
import { lazyPart } from '#/web/lazy-part.ts';
import { LazyBoundary } from '#/web/lazy-boundary.tsx';

const ReauthenticationDialog = lazyPart(
  async () => (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
);

/** Asks who is signed in to confirm who they are whenever a call needs it, on whichever screen. */
export function ReauthenticationWatch() {
  const asked = useReauthenticationAsked();
  // Nobody is left to ask once the session has ended.
  useEffect(() => () => endReauthentication(false), []);
  return (
    <LazyBoundary>
      {asked && (
        <ReauthenticationDialog
          onConfirmed={() => endReauthentication(true)}
          onClose={() => endReauthentication(false)}
        />
      )}
    </LazyBoundary>
  );
}
