import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useRealtime, useReopen } from '#/web/realtime.tsx';
import { useSession } from './session.tsx';
import { useEffect } from 'react';
import { endReauthentication, useReauthenticationAsked } from '#/web/fresh-session.ts';
import { lazyPart } from '#/web/lazy-part.tsx';

export function SessionWatch() {
  const { viewer, refresh, follow, leaving } = useSession();
  const reopen = useReopen();
  const leave = async () => {
    if (leaving) return;
    // A changed password may leave it signed in.
    const now = await api.accounts.me.call();
    // Reconnects, so later events still arrive.
    if (now) reopen();
    if (now?.id !== viewer?.id || now?.role !== viewer?.role) await follow();
    if (now) return;
    toast({ title: m.accounts_signed_out_elsewhere_title(), description: m.accounts_signed_out_elsewhere() });
  };
  useRealtime(({ type }) => {
    // Retried when the socket reconnects.
    if (type === 'signed_out') leave().catch(() => undefined);
    if (type === 'accounts.profile_changed') void refresh();
  });
  return null;
}

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
