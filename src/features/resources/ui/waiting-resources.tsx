import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import limits from 'virtual:limits/resources.reject';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { Skeleton, Loading } from '#/web/components/skeleton.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureText, type FailureTexts } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import type { WaitingResource } from '../library/contract.ts';
import { ResourceContent } from './resource-content.tsx';
import { ResourceCover } from './resource-cover.tsx';
import { categoryNames, typeNames } from './resource-texts.ts';
import { useRefreshWaiting } from './resources-waiting.ts';

export function WaitingResources() {
  useLiveQueries(api.resources.waiting.key(), 'resources.waiting');
  const waiting = useInfiniteQuery(
    api.resources.waiting.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: 10, ...(cursor ? { cursor } : {}) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.next ?? undefined,
    }),
  );
  return (
    <Section title={m.resources_waiting_title()} titleClassName="mb-4 text-xl">
      <FetchedList
        query={waiting}
        entries={waiting.data?.pages.flatMap((page) => page.items)}
        failure={m.resources_load_failed()}
        skeleton={<Skeleton className="h-40" />}
        empty={<p className="text-quiet">{m.resources_waiting_none()}</p>}
      >
        {(items) => (
          <ul className="grid gap-4">
            {items.map((resource) => (
              // Remounts: a new version must be reopened.
              <WaitingEntry key={`${resource.id} ${resource.version}`} resource={resource} />
            ))}
          </ul>
        )}
      </FetchedList>
    </Section>
  );
}

const decisionFailures: FailureTexts = {
  not_found: m.web_nothing_to_decide,
  changed: m.resources_problem_changed,
};

/** Only an opened version can be approved. */
function WaitingEntry({ resource }: { resource: WaitingResource }) {
  const ownZone = useOwnZone();
  const { id, title, version, sentBy } = resource;
  const refresh = useRefreshWaiting();
  const hintId = useId();
  const [reading, setReading] = useState(false);
  const [asking, setAsking] = useState(false);
  const content = useQuery({
    ...api.resources.content.queryOptions({ input: { resourceId: id } }),
    queryKey: [...api.resources.content.queryKey({ input: { resourceId: id } }), version],
    enabled: reading,
  });
  /** Null if the opened version differs from the title and description shown here. */
  const read = content.data?.version === version ? content.data : null;
  const isOutdated = content.data !== undefined && read === null;
  useEffect(() => {
    if (isOutdated) void refresh();
    // Runs once per version mismatch.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOutdated]);
  const after = {
    onError: (error: unknown) =>
      toast.failed(m.resources_decide_failed(), failureText(error, decisionFailures)),
    onSettled: refresh,
  };
  const approve = useMutation({
    mutationFn: (seen: number) => api.resources.approve.call({ resourceId: id, version: seen }),
    onSuccess: () => toast.done(m.resources_published()),
    ...after,
  });
  const reject = useMutation({
    mutationFn: (reason: string) => api.resources.reject.call({ resourceId: id, reason }),
    onSuccess: () => {
      setAsking(false);
      toast.done(m.resources_rejected());
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
        {m.resources_waiting_from({ name: sentBy, date: longDateText(resource.submittedAt, ownZone) })}
      </p>
      <p className="mt-3 wrap-anywhere">{resource.description}</p>
      <details
        onToggle={(event) => {
          if (event.currentTarget.open) setReading(true);
        }}
        className="group mt-3 rounded-control border border-line px-4"
      >
        <summary className="flex min-h-11 items-center justify-between font-semibold text-primary">
          {m.resources_waiting_show()}
          <ChevronDown aria-hidden className="size-5 group-open:rotate-180" />
        </summary>
        <div className="pb-4">
          {read ? (
            <>
              {resource.cover && <ResourceCover resource={resource} className="mb-4 max-w-60 rounded-card" />}
              <ResourceContent resourceId={id} content={read} title={title} />
            </>
          ) : isOutdated ? (
            <p>{m.resources_problem_changed()}</p>
          ) : content.isError ? (
            <p>{failureText(content.error, decisionFailures)}</p>
          ) : (
            <Loading>
              <Skeleton className="h-24" />
            </Loading>
          )}
        </div>
      </details>
      {!read && (
        <p id={hintId} className="mt-4 text-sm text-quiet">
          {m.resources_waiting_read_first()}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          size="sm"
          disabled={!read}
          aria-describedby={read ? undefined : hintId}
          busy={approve.isPending}
          onClick={() => read && approve.mutate(read.version)}
        >
          {m.web_approve()}
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
        limits={limits}
        busy={reject.isPending}
        onConfirm={(reason) => reject.mutate(reason)}
      />
    </Card>
  );
}
