import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { useToast } from '#/web/components/toast.tsx';
import type { BulkAction, FlagView } from '../flags/contract.ts';
import { bulkChanges } from '../flags/rules.ts';
import { flagFailure, isOutdated, stateText } from './flag-texts.ts';

const actions: readonly { id: BulkAction; name: () => string; nothing: () => string }[] = [
  {
    id: 'enable_communication',
    name: m.flags_bulk_communication,
    nothing: m.flags_bulk_communication_nothing,
  },
  { id: 'disable_experimental', name: m.flags_bulk_experimental, nothing: m.flags_bulk_experimental_nothing },
  { id: 'reset', name: m.flags_bulk_reset, nothing: m.flags_bulk_reset_nothing },
];

export function FlagBulk({ flags }: { flags: readonly FlagView[] }) {
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const { toast } = useToast();
  const ask = ({ id, name, nothing }: (typeof actions)[number]) => {
    if (bulkChanges(id, flags).length > 0) setAsked(id);
    else toast({ title: name(), description: nothing() });
  };
  return (
    <Card as="section" aria-labelledby="flags-bulk" className="mt-6">
      <h3 id="flags-bulk" className="text-lg">
        {m.flags_bulk()}
      </h3>
      <div className="mt-3 flex flex-wrap gap-2 max-sm:*:w-full">
        {actions.map((action) => (
          <Button key={action.id} variant="secondary" size="sm" onClick={() => ask(action)}>
            {action.name()}
          </Button>
        ))}
      </div>
      {asked && <Confirmation action={asked} flags={flags} onClose={() => setAsked(null)} />}
    </Card>
  );
}

function Confirmation({
  action,
  flags,
  onClose,
}: {
  action: BulkAction;
  flags: readonly FlagView[];
  onClose: () => void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const changes = bulkChanges(action, flags);
  const { name, nothing } = actions.find(({ id }) => id === action)!;
  const change = useMutation({
    mutationFn: () =>
      api.flags.changeMany.call({
        action,
        expected: changes.map(({ flag: { id: flagId, version } }) => ({ flagId, version })),
      }),
    networkMode: 'always',
    onSuccess: async (next) => {
      // Cancels older fetches, which would restore old data.
      await queries.cancelQueries({ queryKey: api.flags.list.key() });
      queries.setQueryData(api.flags.list.queryKey(), next);
      toast({ tone: 'success', title: name(), description: m.flags_bulk_done({ count: changes.length }) });
      onClose();
    },
    // Refetches before showing the error, so that a retry applies to fresh flags.
    onError: async (error) => {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: api.flags.list.key() });
    },
  });
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !change.isPending) onClose();
      }}
      title={m.flags_bulk_question({ action: name() })}
      // Another administrator may have applied the changes already.
      description={changes.length > 0 ? m.flags_bulk_changes() : nothing()}
      confirmLabel={m.flags_bulk_confirm()}
      busy={change.isPending}
      tone={action === 'enable_communication' ? 'primary' : 'destructive'}
      onConfirm={() => (changes.length > 0 ? change.mutate() : onClose())}
    >
      <ul className="grid gap-2">
        {changes.map(({ flag, to }) => (
          <li key={flag.id}>
            <span className="block font-semibold">{flag.name}</span>
            {m.flags_bulk_change({ from: stateText(flag), to: stateText(to) })}
          </li>
        ))}
      </ul>
      {change.isError && (
        <Notice tone="destructive" className="mt-4" title={m.flags_failed_title()}>
          {flagFailure(change.error)}
        </Notice>
      )}
    </AlertDialog>
  );
}
