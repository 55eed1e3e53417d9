import { useMutation, useQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { factorFailureText } from './failure-text.ts';
import { isUnanswered, signChallenge } from './passkey-browser.ts';
import { emitSessionEvent } from './session-events.ts';
import { useSite } from './session.tsx';
import { RowAction } from './setting-row.tsx';

/** Makes passkeys the second step. */
export function PasskeyInstead({ onCodes }: { onCodes: (answered: { backupCodes: string[] }) => void }) {
  const { passkeys: offered } = useSite();
  const hydrated = useHydrated();
  const { data: passkeys } = useQuery({ ...api.passkeys.list.queryOptions(), enabled: offered });
  const use = useMutation({
    mutationFn: async () => {
      const passkey = await signChallenge(await api.passkeys.ask.call({}));
      const answered = await api.secondFactor.usePasskey.call({ passkey });
      emitSessionEvent('MFA_CHALLENGE_VERIFIED');
      return answered;
    },
    onSuccess: onCodes,
    onError: (error) => {
      const why = isUnanswered(error) ? m.accounts_passkey_canceled() : factorFailureText(error);
      toast.failed(m.web_did_not_work(), why);
    },
  });
  if (!hydrated || typeof PublicKeyCredential !== 'function' || !passkeys?.length) return null;
  return (
    <RowAction variant="quiet" busy={use.isPending} onClick={() => use.mutate()}>
      {m.reauthentication_by_passkey()}
    </RowAction>
  );
}
