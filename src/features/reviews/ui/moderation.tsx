import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/reviews.reject';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { Stars } from '#/web/components/stars.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import { Button } from '#/web/components/button.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import type { ModeratedReview, ReviewState } from '../contract.ts';
import { ModerationList } from './moderation-list.tsx';
import { nextOffset } from './review-queries.ts';
import { moderationFailure } from './failure-text.ts';

const page = 10;

const lists: Readonly<Record<ReviewState, { title: () => string; text: () => string; empty: () => string }>> =
  {
    waiting: {
      title: m.moderation_waiting,
      text: m.moderation_waiting_text,
      empty: m.moderation_waiting_empty,
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
  const query = useInfiniteQuery(
    api.reviews.moderation.infiniteOptions({
      input: (offset: number) => ({ state, offset, limit: page }),
      initialPageParam: 0,
      getNextPageParam: nextOffset(page),
    }),
  );
  return (
    <ModerationList id={`moderation-${state}`} texts={lists[state]} query={query}>
      {(review) => <Decidable review={review} />}
    </ModerationList>
  );
}

function Decidable({ review }: { review: ModeratedReview }) {
  const ownZone = useOwnZone();
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
          {longDateText(writtenAt, ownZone)}
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
        <PersonLink id={provider.id} className="underline">
          {provider.name}
        </PersonLink>{' '}
        · {service.title}
      </p>
      {reason && (
        <p className="mt-3 rounded-control bg-sunken px-4 py-2.5 text-sm wrap-anywhere whitespace-pre-line">
          {m.moderation_reason_given({ reason })}
        </p>
      )}
      <ReviewDecisions key={state} review={review} name={name} />
    </Card>
  );
}

interface Done {
  title: string;
  undo: (reviews: Reviews) => Promise<unknown>;
}

type Reviews = typeof api.reviews;

/** Offers to undo each decision. */
function useDecisions(review: ModeratedReview, onDone: () => void) {
  const queries = useQueryClient();
  const { id: reviewId, revision, state, featured } = review;
  const decision = { reviewId, revision, from: state };
  /** Leaves another administrator's later decision alone. */
  const undoOf = (from: ReviewState) => ({ reviewId, revision, from });
  const refresh = () => queries.invalidateQueries({ queryKey: api.reviews.key() });

  const undo = async (done: Done) => {
    try {
      await done.undo(api.reviews);
      toast.done(m.web_undone());
    } catch (error) {
      const problem = moderationFailure(error);
      toast.failed(problem.title, problem.text);
    }
    await refresh();
  };
  const act = useMutation({
    mutationFn: async ({ call, done }: { call: () => Promise<unknown>; done: Done }) => {
      await call();
      return done;
    },
    onSuccess: (done) => {
      onDone();
      toast({
        tone: 'success',
        title: done.title,
        action: {
          label: m.web_undo(),
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
            ? reviews.reject.call({ ...undoOf('approved'), reason: review.reason })
            : reviews.reopen.call(undoOf('approved')),
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
            ? reviews.approve.call({ ...undoOf('rejected'), featured })
            : reviews.reopen.call(undoOf('rejected')),
      },
    });
  return { act, approve, feature, reject };
}

function ReviewDecisions({ review, name }: { review: ModeratedReview; name: string }) {
  const { state, featured, text } = review;
  const [asking, setAsking] = useState(false);
  const { act, approve, feature, reject } = useDecisions(review, () => setAsking(false));
  const look = { about: m.moderation_of({ name, provider: review.provider.name }), size: 'sm' } as const;
  const problem = act.isError && moderationFailure(act.error);
  const published = state === 'approved';
  const busy = act.isPending && !asking;
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-1 sm:gap-2">
        {!published && (
          <Button {...look} busy={busy} onClick={() => approve(false)}>
            {m.web_approve()}
          </Button>
        )}
        {!published && text !== null && (
          <Button {...look} variant="secondary" busy={busy} onClick={() => approve(true)}>
            {m.moderation_approve_feature()}
          </Button>
        )}
        {published && text !== null && (
          <Button {...look} variant="secondary" busy={busy} onClick={feature}>
            {featured ? m.moderation_unfeature() : m.moderation_feature()}
          </Button>
        )}
        {state !== 'rejected' && (
          <Button {...look} variant="quiet" onClick={() => setAsking(true)}>
            {published ? m.web_unpublish() : m.web_reject()}
          </Button>
        )}
      </div>
      {!asking && <FailureAlert {...problem} className="mt-4" />}
      <ReasonDialog
        open={asking}
        onOpenChange={(open) => {
          if (!open) act.reset();
          setAsking(open);
        }}
        title={published ? m.moderation_unpublish_title() : m.moderation_reject_title()}
        description={published ? m.moderation_unpublish_text() : m.moderation_reject_text()}
        confirmLabel={published ? m.web_unpublish() : m.web_reject()}
        limits={limits}
        busy={act.isPending}
        onConfirm={reject}
      >
        <FailureAlert {...problem} className="mt-4" />
      </ReasonDialog>
    </>
  );
}
