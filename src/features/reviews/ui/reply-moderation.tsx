import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/reviews.replies.reject';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { Stars } from '#/web/components/stars.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import type { ModeratedReply } from '../reply/contract.ts';
import { replyDecisionFailure } from './failure-text.ts';
import { ModerationList } from './moderation-list.tsx';
import { nextOffset } from './review-queries.ts';

const page = 10;

export function useRepliesWaiting(): number | undefined {
  const query = useQuery({ ...api.reviews.replies.waitingCount.queryOptions(), refetchInterval: 60_000 });
  return query.data?.waiting;
}

const lists = {
  waiting: {
    title: m.replies_waiting,
    text: m.replies_waiting_text,
    empty: m.replies_waiting_empty,
  },
  approved: {
    title: m.replies_published,
    text: m.replies_published_text,
    empty: m.replies_published_empty,
  },
} as const;

export function ReplyModeration() {
  return (
    <div className="grid gap-12">
      <Replies state="waiting" />
      <Replies state="approved" />
    </div>
  );
}

function Replies({ state }: { state: keyof typeof lists }) {
  const query = useInfiniteQuery(
    api.reviews.replies.moderation.infiniteOptions({
      input: (offset: number) => ({ state, offset, limit: page }),
      initialPageParam: 0,
      getNextPageParam: nextOffset(page),
    }),
  );
  return (
    <ModerationList id={`replies-${state}`} texts={lists[state]} query={query}>
      {(reply) => <Decidable reply={reply} />}
    </ModerationList>
  );
}

function isPublished({ state, shownText }: ModeratedReply): boolean {
  return state !== 'waiting' && shownText !== null;
}

function Decidable({ reply }: { reply: ModeratedReply }) {
  const ownZone = useOwnZone();
  const { shownText, state, provider, review, changedAt } = reply;
  const text = isPublished(reply) ? shownText : reply.text;
  const name = review.name ?? m.reviews_a_client();
  return (
    <Card as="article" aria-label={m.replies_of({ provider: provider.name, name })}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h3 className="min-w-0 text-lg wrap-anywhere">
          <PersonLink id={provider.id} className="py-2.5">
            {m.replies_by({ name: provider.name })}
          </PersonLink>
        </h3>
        <time dateTime={changedAt} className="text-sm text-quiet">
          {longDateText(changedAt, ownZone)}
        </time>
      </div>
      <p className="mt-2 max-w-reading wrap-anywhere whitespace-pre-line">{text}</p>
      {state === 'waiting' && shownText !== null && (
        <div className="mt-3 rounded-control bg-sunken px-4 py-2.5">
          <p className="text-sm text-quiet">{m.replies_shown_now()}</p>
          <p className="mt-1 max-w-reading wrap-anywhere whitespace-pre-line">{shownText}</p>
        </div>
      )}
      <div className="mt-4 border-l-2 border-line pl-4">
        <Stars rating={review.rating} />
        {review.text === null ? (
          <p className="mt-1.5 text-quiet">{m.replies_rating_alone({ name })}</p>
        ) : (
          <>
            <p className="mt-1.5 text-sm text-quiet">{m.replies_answers({ name })}</p>
            <blockquote className="max-w-reading wrap-anywhere whitespace-pre-line">
              “{review.text}”
            </blockquote>
          </>
        )}
        <p className="mt-1 text-sm text-quiet">{review.service.title}</p>
      </div>
      <Decisions key={`${state}-${reply.revision}`} reply={reply} name={name} />
    </Card>
  );
}

function Decisions({ reply, name }: { reply: ModeratedReply; name: string }) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const decision = { reviewId: reply.id, revision: reply.revision, from: reply.state };
  const published = isPublished(reply);
  const refresh = () => queries.invalidateQueries({ queryKey: api.reviews.key() });
  const act = useMutation({
    mutationFn: async (reason: string | null) => {
      if (reason === null) await api.reviews.replies.approve.call(decision);
      else await api.reviews.replies.reject.call({ ...decision, reason });
      return reason;
    },
    onSuccess: (reason) => {
      setAsking(false);
      const refused = published ? m.replies_unpublished() : m.replies_rejected();
      toast.done(reason === null ? m.replies_approved() : refused);
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void refresh();
    },
  });
  const about = m.replies_of({ provider: reply.provider.name, name });
  const problem = act.isError && replyDecisionFailure(act.error);
  const notice = <FailureAlert {...problem} className="mt-4" />;
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        {!published && (
          <Button about={about} busy={act.isPending && !asking} onClick={() => act.mutate(null)}>
            {m.web_approve()}
          </Button>
        )}
        <Button about={about} variant="quiet" onClick={() => setAsking(true)}>
          {published ? m.web_unpublish() : m.web_reject()}
        </Button>
      </div>
      {!asking && notice}
      <ReasonDialog
        open={asking}
        onOpenChange={(open) => {
          if (!open) act.reset();
          setAsking(open);
        }}
        title={published ? m.replies_unpublish_title() : m.replies_reject_title()}
        description={published ? m.replies_unpublish_text() : m.moderation_reject_text()}
        confirmLabel={published ? m.web_unpublish() : m.web_reject()}
        limits={limits}
        busy={act.isPending}
        onConfirm={(reason) => act.mutate(reason)}
      >
        {notice}
      </ReasonDialog>
    </>
  );
}
