import { useMutation } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText } from '#/web/failures.ts';
import { accountFailures } from './failure-text.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { useSession } from './session.tsx';

export function KeepAccount() {
  const { refresh } = useSession();
  const hydrated = useHydrated();
  const keep = useMutation({
    ...api.deletion.keep.mutationOptions(),
    onSuccess: async () => {
      await refresh();
      toast.done(m.accounts_deletion_kept_title(), m.accounts_deletion_kept());
      // The pressed button no longer exists.
      document.getElementById('content')?.focus();
    },
    onError: (error) => {
      toast.failed(
        m.accounts_deletion_keep_failed(),
        failureText(error, { ...accountFailures, deletion_over: m.accounts_deletion_over }),
      );
    },
  });
  return (
    <Button
      variant="secondary"
      size="sm"
      disabled={!hydrated}
      busy={keep.isPending}
      onClick={() => keep.mutate(undefined)}
    >
      {m.accounts_deletion_keep()}
    </Button>
  );
}
