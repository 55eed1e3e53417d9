import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { useRealtime, useReopen } from '#/web/realtime.tsx';
import { useSession } from './session.tsx';

/** Keeps who is signed in true while a page is open: a sign-out elsewhere ends it here, another role, name or photo shows. */
export function SessionWatch() {
  const api = useApi();
  const { viewer, refresh, leaving } = useSession();
  const { toast } = useToast();
  const reopen = useReopen();
  const leave = async () => {
    if (leaving) return;
    // After a new password the same browser is signed in anew, and with another role it goes on.
    const now = await api.accounts.me.call();
    // What comes next isn't to be missed.
    if (now) reopen();
    if (now?.role !== viewer?.role) await refresh();
    if (now) return;
    toast({ title: m.accounts_signed_out_elsewhere_title(), description: m.accounts_signed_out_elsewhere() });
  };
  useRealtime(({ type }) => {
    // What can't be asked now is asked when the socket is back.
    if (type === 'signed_out') leave().catch(() => undefined);
    if (type === 'accounts.profile_changed') void refresh();
  });
  return null;
}
