import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { StatCard, Card } from '#/web/components/card.tsx';
import { FoldingCard } from '#/web/components/folding-card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { PartHeading } from '#/web/components/part-heading.tsx';
import type { FlagView, BulkAction } from '../flags/contract.ts';
import { categoryOrder, bulkChanges } from '../flags/rules.ts';
import { FlagCard } from './flag-card.tsx';
import type { PeoplePicker } from './flag-scope-form.tsx';
import { categoryText, flagFailure, isOutdated, stateText } from './flag-texts.ts';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';

export function FlagsPanel({
  personName,
  peoplePicker,
  twoFactor,
}: {
  /** Injected, because settings can't import the accounts feature. */
  personName: (id: string) => ReactNode;
  peoplePicker: PeoplePicker;
  /** Explains which accounts need a second factor. */
  twoFactor: ReactNode;
}) {
  // `SiteWatch` refetches this.
  const query = useQuery(api.flags.list.queryOptions());
  return (
    <>
      <PartHeading title={m.admin_tab_features()}>{m.flags_intro()}</PartHeading>
      <Fetched query={query} failure={m.flags_load_failed()}>
        {(flags) => (
          <>
            <Figures flags={flags} />
            <FlagBulk flags={flags} />
            <div className="gap-6 lg:columns-[26rem]">
              {categoryOrder.map((category) => (
                <Group
                  key={category}
                  title={categoryText[category]()}
                  flags={flags.filter((flag) => flag.category === category)}
                  {...{ personName, peoplePicker, twoFactor }}
                />
              ))}
            </div>
          </>
        )}
      </Fetched>
    </>
  );
}

function Figures({ flags }: { flags: readonly FlagView[] }) {
  const enabled = enabledAmong(flags);
  return (
    <dl className="grid grid-cols-3 gap-3 sm:gap-4">
      <StatCard label={m.flags_total()} value={flags.length} />
      <StatCard label={m.flags_enabled()} value={enabled} />
      <StatCard label={m.flags_disabled()} value={flags.length - enabled} />
    </dl>
  );
}

function Group({
  title,
  flags,
  ...people
}: {
  title: string;
  flags: readonly FlagView[];
  personName: (id: string) => ReactNode;
  peoplePicker: PeoplePicker;
  twoFactor: ReactNode;
}) {
  const heading = `flags-${flags[0]!.category}`;
  return (
    <section aria-labelledby={heading} className="break-inside-avoid pt-5 sm:pt-6">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={heading} className="text-lg">
          {title}
        </h3>
        <p className="text-sm text-quiet">
          {m.flags_group_enabled({ enabled: enabledAmong(flags), total: flags.length })}
        </p>
      </div>
      <Card as="ul" className="divide-y divide-line p-0!">
        {flags.map((flag) => (
          <li key={flag.id}>
            <FlagCard flag={flag} {...people} />
          </li>
        ))}
      </Card>
    </section>
  );
}

function enabledAmong(flags: readonly FlagView[]): number {
  return flags.filter(({ enabled }) => enabled).length;
}

const actions: readonly { id: BulkAction; name: () => string; nothing: () => string }[] = [
  {
    id: 'enable_communication',
    name: m.flags_bulk_communication,
    nothing: m.flags_bulk_communication_nothing,
  },
  { id: 'disable_experimental', name: m.flags_bulk_experimental, nothing: m.flags_bulk_experimental_nothing },
  { id: 'reset', name: m.flags_bulk_reset, nothing: m.flags_bulk_reset_nothing },
];

function FlagBulk({ flags }: { flags: readonly FlagView[] }) {
  const [asked, setAsked] = useState<BulkAction | null>(null);
  const ask = ({ id, name, nothing }: (typeof actions)[number]) => {
    if (bulkChanges(id, flags).length > 0) setAsked(id);
    else toast({ title: name(), description: nothing() });
  };
  return (
    <FoldingCard level="h3" title={m.flags_bulk()} className="mt-4 sm:mt-6 sm:p-5!">
      <div className="flex flex-wrap gap-2 max-sm:*:w-full sm:mt-3">
        {actions.map((action) => (
          <Button key={action.id} variant="secondary" size="sm" onClick={() => ask(action)}>
            {action.name()}
          </Button>
        ))}
      </div>
      {asked && <Confirmation action={asked} flags={flags} onClose={() => setAsked(null)} />}
    </FoldingCard>
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
  const queries = useQueryClient();
  const changes = bulkChanges(action, flags);
  const { name, nothing } = actions.find(({ id }) => id === action)!;
  const change = useMutation({
    mutationFn: () =>
      api.flags.changeMany.call({
        action,
        expected: changes.map(({ flag: { id: flagId, version } }) => ({ flagId, version })),
      }),
    onSuccess: async (next) => {
      // Cancels older fetches, which would restore old data.
      await queries.cancelQueries({ queryKey: api.flags.list.key() });
      queries.setQueryData(api.flags.list.queryKey(), next);
      toast.done(name(), m.flags_bulk_done({ count: changes.length }));
      onClose();
    },
    // Refetches before showing the error, so that a retry applies to fresh flags.
    onError: async (error) => {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: api.flags.list.key() });
    },
  });
  return (
    <ConfirmDialog
      act={change}
      failure={(error) => ({ title: m.web_save_failed(), text: flagFailure(error) })}
      onClose={onClose}
      title={m.flags_bulk_question({ action: name() })}
      // Another administrator may have applied the changes already.
      description={changes.length > 0 ? m.flags_bulk_changes() : nothing()}
      confirmLabel={m.flags_bulk_confirm()}
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
    </ConfirmDialog>
  );
}
