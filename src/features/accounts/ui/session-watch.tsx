import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { accountsContract } from '../contract.ts';
import { useSession } from './session.tsx';

/** Keeps who is signed in true while a page is open: a sign-out elsewhere ends it here, another name or photo shows. */
export function SessionWatch() {
  const api = useApi<{ accounts: typeof accountsContract }>();
  const { refresh, leaving } = useSession();
  const { toast } = useToast();
  const leave = async () => {
    // After a new password the same browser is signed in anew.
    if (leaving || (await api.accounts.me.call())) return;
    await refresh();
    toast({ title: m.accounts_signed_out_elsewhere_title(), description: m.accounts_signed_out_elsewhere() });
  };
  useRealtime(({ type }) => {
    // What can't be asked now is asked when the socket is back.
    if (type === 'signed_out') leave().catch(() => undefined);
    if (type === 'accounts.profile_changed') void refresh();
  });
  return null;
}
