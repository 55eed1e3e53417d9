import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Loading, Skeleton } from '#/web/components/skeleton.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { useRealtime } from '#/web/realtime.tsx';
import type { resourcesContract, WaitingResource } from '../contract.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { ResourceContent } from './resource-content.tsx';
import { categoryNames, dateText, failureText, typeNames } from './resource-texts.ts';

type Api = { resources: typeof resourcesContract };

/** The resources that wait for an administrator's decision, longest first; stands under a heading of its own. */
export function WaitingResources() {
  const api = useApi<Api>();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'resources.waiting' || type === 'reconnected')
      void queries.invalidateQueries({ queryKey: api.resources.waiting.key() });
  });
  const waiting = useInfiniteQuery({
    ...api.resources.waiting.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: 10, ...(cursor ? { cursor } : {}) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
  });
  const items = waiting.data?.pages.flatMap((page) => page.items);
  return (
    <section aria-labelledby="waiting-resources">
      <h2 id="waiting-resources" className="mb-4 text-xl">
        {m.resources_waiting_title()}
      </h2>
      {items === undefined ? (
        waiting.isError ? (
          <Notice
            tone="destructive"
            title={m.resources_waiting_failed()}
            action={
              <Button
                variant="secondary"
                size="sm"
                busy={waiting.isFetching}
                onClick={() => void waiting.refetch()}
              >
                {m.home_try_again()}
              </Button>
            }
          />
        ) : (
          <Loading label={m.resources_loading()}>
            <Skeleton className="h-40" />
          </Loading>
        )
      ) : items.length === 0 ? (
        <p className="text-quiet">{m.resources_waiting_none()}</p>
      ) : (
        <>
          <ul className="grid gap-4">
            {items.map((resource) => (
              <Waiting key={resource.id} resource={resource} />
            ))}
          </ul>
          {waiting.hasNextPage && (
            <Button
              variant="secondary"
              className="mt-4"
              busy={waiting.isFetchingNextPage}
              onClick={() => void waiting.fetchNextPage()}
            >
              {m.resources_more()}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function Waiting({ resource }: { resource: WaitingResource }) {
  const { id, title, version, sentBy } = resource;
  const api = useApi<Api>();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [reading, setReading] = useState(false);
  const [asking, setAsking] = useState(false);
  const content = useQuery({
    ...api.resources.content.queryOptions({ input: { resourceId: id } }),
    enabled: reading,
  });
  const after = {
    onError: (error: unknown) =>
      toast({
        tone: 'destructive',
        title: m.resources_decide_failed(),
        description:
          error instanceof AppError && error.reason === 'changed'
            ? m.resources_problem_changed()
            : failureText(error),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: api.resources.waiting.key() }),
  };
  const approve = useMutation({
    mutationFn: () => api.resources.approve.call({ resourceId: id, version }),
    onSuccess: () => toast({ tone: 'success', title: m.resources_approved() }),
    ...after,
  });
  const reject = useMutation({
    mutationFn: (reason: string) => api.resources.reject.call({ resourceId: id, reason }),
    onSuccess: () => {
      setAsking(false);
      toast({ tone: 'success', title: m.resources_rejected() });
    },
    ...after,
  });
  return (
    <Card as="li">
      <p className="text-sm text-quiet">
        {typeNames[resource.type]()} · {categoryNames[resource.category]()}
      </p>
      <h3 className="mt-1 text-lg wrap-anywhere">{title}</h3>
      <p className="text-sm text-quiet">{m.resources_by({ author: resource.author })}</p>
      <p className="text-sm text-quiet">
        {m.resources_waiting_from({ name: sentBy, date: dateText(resource.submittedAt) })}
      </p>
      <p className="mt-3 wrap-anywhere">{resource.description}</p>
      <details
        onToggle={(event) => setReading(event.currentTarget.open)}
        className="mt-3 rounded-control border border-line px-4"
      >
        <summary className="flex min-h-11 items-center font-semibold text-primary">
          {m.resources_waiting_show()}
        </summary>
        <div className="pb-4">
          {content.data ? (
            <ResourceContent content={content.data} title={title} onExpired={() => void content.refetch()} />
          ) : content.isError ? (
            <p>{failureText(content.error)}</p>
          ) : (
            <Loading>
              <Skeleton className="h-24" />
            </Loading>
          )}
        </div>
      </details>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" busy={approve.isPending} onClick={() => approve.mutate()}>
          {m.resources_waiting_approve()}
          <span className="sr-only"> {title}</span>
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
          {m.resources_waiting_reject()}
          <span className="sr-only"> {title}</span>
        </Button>
      </div>
      <ReasonDialog
        open={asking}
        onOpenChange={setAsking}
        title={m.resources_reject_title()}
        description={m.resources_reject_text({ title, name: sentBy })}
        confirmLabel={m.resources_waiting_reject()}
        busy={reject.isPending}
        onConfirm={(reason) => reject.mutate(reason)}
      />
    </Card>
  );
}
