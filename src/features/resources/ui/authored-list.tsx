import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { TableIllustration } from '#/web/components/illustrations/table.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, isRefusal } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import type { AuthoredEntry } from '../library/contract.ts';
import { categoryNames, downloadsText, resourceFailures, statusNames, typeNames } from './resource-texts.ts';

const tones = { draft: 'neutral', submitted: 'gold', published: 'sage', rejected: 'clay' } as const;

export function editorPath(id: string): string {
  return `/author/${id}`;
}

export function AuthoredList() {
  useLiveQueries(api.resources.authored.key(), 'resources.changed');
  const authored = useInfiniteQuery(
    api.resources.authored.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: 10, ...(cursor ? { cursor } : {}) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
  );
  return (
    <FetchedList
      query={authored}
      entries={authored.data?.pages.flatMap((page) => page.items)}
      failure={m.resources_load_failed()}
      skeleton={
        <div className="grid gap-4">
          <Skeleton className="h-32" />
          <Skeleton className="h-32" />
        </div>
      }
      empty={
        <Card>
          <EmptyState
            as="h2"
            illustration={<TableIllustration />}
            title={m.resources_author_none()}
            action={<ButtonLink to={editorPath('new')}>{m.resources_author_new()}</ButtonLink>}
          >
            {m.resources_author_none_text()}
          </EmptyState>
        </Card>
      }
    >
      {(items) => (
        <ul className="grid gap-4">
          {items.map((resource) => (
            <Authored key={resource.id} resource={resource} />
          ))}
        </ul>
      )}
    </FetchedList>
  );
}

function Authored({ resource }: { resource: AuthoredEntry }) {
  const ownZone = useOwnZone();
  const { id, title, status, actions } = resource;
  const queries = useQueryClient();
  const [asking, setAsking] = useState<'withdraw' | 'remove' | null>(null);
  const after = {
    onError: (error: unknown) => {
      if (isRefusal(error)) setAsking(null);
      const texts = { ...resourceFailures, wrong_state: m.resources_problem_moved_on };
      toast.failed(m.resources_decide_failed(), failureText(error, texts));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: api.resources.authored.key() }),
  };
  const withdraw = useMutation({
    mutationFn: () => api.resources.withdraw.call({ resourceId: id }),
    onSuccess: () => {
      setAsking(null);
      toast.done(m.resources_withdrawn());
    },
    ...after,
  });
  const remove = useMutation({
    mutationFn: () => api.resources.remove.call({ resourceId: id, confirmed: true }),
    onSuccess: () => {
      setAsking(null);
      toast.done(m.resources_removed());
    },
    ...after,
  });
  const about = m.resources_author_about({ title });
  return (
    <Card as="li">
      <div className="flex items-start justify-between gap-4">
        <p className="text-sm text-quiet">
          {typeNames[resource.type]()} · {categoryNames[resource.category]()}
        </p>
        <Badge tone={tones[status]}>{statusNames[status]()}</Badge>
      </div>
      <h2 className="text-lg wrap-anywhere">{title}</h2>
      <p className="text-sm text-quiet">
        {m.resources_author_changed({ date: longDateText(resource.updatedAt, ownZone) })}
        {status === 'published' && ` · ${downloadsText(resource.downloadCount)}`}
      </p>
      {resource.rejectReason && (
        <Notice className="mt-3" title={m.resources_author_reason()}>
          <p className="whitespace-pre-line wrap-anywhere">{resource.rejectReason}</p>
        </Notice>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {actions.includes('edit') && (
          <ButtonLink about={about} to={editorPath(id)} variant="secondary" size="sm">
            {m.web_edit()}
          </ButtonLink>
        )}
        {status === 'published' && (
          <ButtonLink about={about} to={`/resources/${id}`} variant="secondary" size="sm">
            {m.resources_author_view()}
          </ButtonLink>
        )}
        {actions.includes('withdraw') && (
          <Button about={about} variant="secondary" size="sm" onClick={() => setAsking('withdraw')}>
            {m.web_withdraw()}
          </Button>
        )}
        <Button
          about={about}
          variant="quiet"
          size="sm"
          className="text-clay!"
          onClick={() => setAsking('remove')}
        >
          {m.web_delete()}
        </Button>
      </div>
      <AlertDialog
        open={asking === 'withdraw'}
        onOpenChange={(open) => setAsking(open ? 'withdraw' : null)}
        tone="primary"
        title={m.resources_withdraw_title()}
        description={m.resources_withdraw_text({ title })}
        confirmLabel={m.web_withdraw()}
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate()}
      />
      <AlertDialog
        open={asking === 'remove'}
        onOpenChange={(open) => setAsking(open ? 'remove' : null)}
        title={m.resources_remove_title()}
        description={
          status === 'published'
            ? m.resources_remove_text_public({ title })
            : m.resources_remove_text({ title })
        }
        confirmLabel={m.web_delete()}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </Card>
  );
}
