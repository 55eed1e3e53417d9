import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import limits from 'virtual:limits/reviews.reject';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { FailureAlert } from '#/web/components/notice.tsx';
import { ReasonDialog } from '#/web/components/reason-dialog.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import type { ModeratedReview } from '../contract.ts';
import { moderationFailure } from './failure-text.ts';

interface Done {
  title: string;
  undo: (reviews: Reviews) => Promise<unknown>;
}

type Reviews = typeof api.reviews;

/** Offers to undo each decision. */
function useDecisions(review: ModeratedReview, onDone: () => void) {
  const queries = useQueryClient();
  const { id: reviewId, revision, state, featured } = review;
  const decision = { reviewId, revision };
  const refresh = () => queries.invalidateQueries({ queryKey: api.reviews.key() });

  const undo = async (done: Done) => {
    try {
      await done.undo(api.reviews);
      toast.done(m.moderation_undone());
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
  return { act, approve, feature, reject };
}

export function ReviewDecisions({ review, name }: { review: ModeratedReview; name: string }) {
  const { state, featured, text } = review;
  const [asking, setAsking] = useState(false);
  const { act, approve, feature, reject } = useDecisions(review, () => setAsking(false));
  const about = m.moderation_of({ name, provider: review.provider.name });
  const problem = act.isError && moderationFailure(act.error);
  const published = state === 'approved';
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        {!published && (
          <Button about={about} busy={act.isPending && !asking} onClick={() => approve(false)}>
            {m.moderation_approve()}
          </Button>
        )}
        {!published && text !== null && (
          <Button about={about} variant="secondary" onClick={() => approve(true)}>
            {m.moderation_approve_feature()}
          </Button>
        )}
        {published && text !== null && (
          <Button about={about} variant="secondary" busy={act.isPending && !asking} onClick={feature}>
            {featured ? m.moderation_unfeature() : m.moderation_feature()}
          </Button>
        )}
        {state !== 'rejected' && (
          <Button about={about} variant="quiet" onClick={() => setAsking(true)}>
            {published ? m.moderation_unpublish() : m.moderation_reject()}
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
        confirmLabel={published ? m.moderation_unpublish() : m.moderation_reject()}
        hint={m.moderation_reason_hint()}
        limits={limits}
        busy={act.isPending}
        onConfirm={reject}
      >
        <FailureAlert {...problem} className="mt-4" />
      </ReasonDialog>
    </>
  );
}
