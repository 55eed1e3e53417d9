import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { OliveBranchIllustration } from '#/web/components/illustrations/olive-branch.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { Stars } from '#/web/components/stars.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { longDateText } from '#/web/times.ts';
import type { longest, ModeratedReview, ReviewState } from '../contract.ts';
import { moderationProblem } from './moderation-problem.ts';
import { nextOffset } from './next-offset.ts';
import { ReviewPages } from './review-pages.tsx';

const page = 10;
/** Copied to keep contract schemas out of the bundle. */
const mostReason: (typeof longest)['reason'] = 500;

const lists: Readonly<
  Record<
    ReviewState,
    { title: () => string; text: () => string; empty: () => string; emptyText?: () => string }
  >
> = {
  waiting: {
    title: m.moderation_waiting,
    text: m.moderation_waiting_text,
    empty: m.moderation_waiting_empty,
    emptyText: m.moderation_waiting_empty_text,
  },
  approved: {
    title: m.moderation_published,
    text: m.moderation_published_text,
    empty: m.moderation_published_empty,
  },
  rejected: {
    title: m.moderation_refused,
    text: m.moderation_refused_text,
    empty: m.moderation_refused_empty,
  },
};

export function ReviewModeration({ state }: { state: ReviewState }) {
  const api = useApi();
  const { title, text, empty, emptyText } = lists[state];
  const query = useInfiniteQuery(
    api.reviews.moderation.infiniteOptions({
      input: (offset: number) => ({ state, offset, limit: page }),
      initialPageParam: 0,
      getNextPageParam: nextOffset(page),
    }),
  );
  const id = `moderation-${state}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="rounded-control text-xl">
        {title()}
      </h2>
      <p className="mt-0.5 mb-4 max-w-reading text-quiet">{text()}</p>
      <ReviewPages
        query={query}
        empty={
          <Card>
            <EmptyState illustration={<OliveBranchIllustration />} title={empty()}>
              {emptyText?.()}
            </EmptyState>
          </Card>
        }
      >
        {(reviews) => (
          <ul className="grid max-w-3xl gap-4">
            {reviews.map((review) => (
              <li key={review.id}>
                <Decidable review={review} />
              </li>
            ))}
          </ul>
        )}
      </ReviewPages>
    </section>
  );
}

function Decidable({ review }: { review: ModeratedReview }) {
  const { rating, text, place, service, provider, writtenAt, reason, featured, state } = review;
  const name = review.name ?? m.reviews_a_client();
  return (
    <Card as="article" aria-label={m.moderation_of({ name, provider: provider.name })}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="flex flex-wrap items-center gap-3">
          <Stars rating={rating} />
          {featured && <Badge tone="gold">{m.moderation_featured()}</Badge>}
        </div>
        <time dateTime={writtenAt} className="text-sm text-quiet">
          {longDateText(writtenAt)}
        </time>
      </div>
      {text === null ? (
        <p className="mt-3 text-quiet">{m.reviews_no_words()}</p>
      ) : (
        <blockquote className="mt-3 max-w-reading wrap-anywhere whitespace-pre-line">“{text}”</blockquote>
      )}
      <p className="mt-3 wrap-anywhere">
        {place ? m.moderation_by_place({ name, place }) : m.moderation_by({ name })}
      </p>
      <p className="text-sm text-quiet">
        {m.moderation_about({ provider: provider.name, service: service.title })}
      </p>
      {reason && (
        <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 text-sm wrap-anywhere whitespace-pre-line">
          {m.moderation_reason_given({ reason })}
        </p>
      )}
      <Decisions key={state} review={review} name={name} />
    </Card>
  );
}

interface Done {
  title: string;
  undo: (reviews: Reviews) => Promise<unknown>;
}

type Reviews = ReturnType<typeof useApi>['reviews'];

function Decisions({ review, name }: { review: ModeratedReview; name: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const { toast } = useToast();
  const [asking, setAsking] = useState(false);
  const { id: reviewId, revision, state, featured, text } = review;
  const decision = { reviewId, revision };
  const refresh = () => queries.invalidateQueries({ queryKey: api.reviews.key() });

  const undo = async (done: Done) => {
    try {
      await done.undo(api.reviews);
      toast({ tone: 'success', title: m.moderation_undone() });
    } catch (error) {
      const problem = moderationProblem(error);
      toast({ tone: 'destructive', title: problem.title, description: problem.text });
    }
    await refresh();
  };
  const act = useMutation({
    mutationFn: async ({ call, done }: { call: () => Promise<unknown>; done: Done }) => {
      await call();
      return done;
    },
    onSuccess: (done) => {
      setAsking(false);
      toast({
        tone: 'success',
        title: done.title,
        action: {
          label: m.moderation_undo(),
          altText: m.moderation_undo_alt(),
          onSelect: () => void undo(done),
        },
      });
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void refresh();
    },
  });

  const approve = (feature: boolean) =>
    act.mutate({
      call: () => api.reviews.approve.call({ ...decision, featured: feature }),
      done: {
        title: m.moderation_approved(),
        undo: (reviews) =>
          state === 'rejected' && review.reason
            ? reviews.reject.call({ ...decision, reason: review.reason })
            : reviews.reopen.call(decision),
      },
    });
  const feature = () =>
    act.mutate({
      call: () => api.reviews.feature.call({ ...decision, featured: !featured }),
      done: {
        title: featured ? m.moderation_is_unfeatured() : m.moderation_is_featured(),
        undo: (reviews) => reviews.feature.call({ ...decision, featured }),
      },
    });
  const reject = (reason: string) =>
    act.mutate({
      call: () => api.reviews.reject.call({ ...decision, reason }),
      done: {
        title: state === 'approved' ? m.moderation_unpublished() : m.moderation_rejected(),
        undo: (reviews) =>
          state === 'approved'
            ? reviews.approve.call({ ...decision, featured })
            : reviews.reopen.call(decision),
      },
    });
  const about = <VisuallyHidden> {m.moderation_of({ name, provider: review.provider.name })}</VisuallyHidden>;
  const problem = act.isError && moderationProblem(act.error);
  const published = state === 'approved';
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        {!published && (
          <Button busy={act.isPending && !asking} onClick={() => approve(false)}>
            <span>
              {m.moderation_approve()}
              {about}
            </span>
          </Button>
        )}
        {!published && text !== null && (
          <Button variant="secondary" onClick={() => approve(true)}>
            <span>
              {m.moderation_approve_feature()}
              {about}
            </span>
          </Button>
        )}
        {published && text !== null && (
          <Button variant="secondary" busy={act.isPending && !asking} onClick={feature}>
            <span>
              {featured ? m.moderation_unfeature() : m.moderation_feature()}
              {about}
            </span>
          </Button>
        )}
        {state !== 'rejected' && (
          <Button variant="quiet" onClick={() => setAsking(true)}>
            <span>
              {published ? m.moderation_unpublish() : m.moderation_reject()}
              {about}
            </span>
          </Button>
        )}
      </div>
      {problem && !asking && (
        <Notice tone="destructive" title={problem.title} className="mt-4">
          {problem.text}
        </Notice>
      )}
      <ReasonDialog
        open={asking}
        onOpenChange={(open) => {
          if (!open) act.reset();
          setAsking(open);
        }}
        title={published ? m.moderation_unpublish_title() : m.moderation_reject_title()}
        description={published ? m.moderation_unpublish_text() : m.moderation_reject_text()}
        confirmLabel={published ? m.moderation_unpublish() : m.moderation_reject()}
        words={{
          label: m.moderation_reason(),
          hint: m.moderation_reason_hint(),
          missing: m.moderation_reason_required(),
        }}
        maxLength={mostReason}
        busy={act.isPending}
        onConfirm={reject}
      >
        {problem && (
          <Notice tone="destructive" title={problem.title} className="mt-4">
            {problem.text}
          </Notice>
        )}
      </ReasonDialog>
    </>
  );
}
