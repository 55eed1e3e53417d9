import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { Stars } from '#/web/components/stars.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import type { OwnReview } from '../contract.ts';
import { reviewFailure } from './failure-text.ts';
import { ReviewForm } from './review-form.tsx';

export interface ReviewedSession {
  appointmentId: string;
  providerName: string;
  date: string;
}

export function ReviewDialog({
  open,
  onOpenChange,
  session,
  review,
  fullName,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  session: ReviewedSession;
  review: OwnReview | null;
  fullName: string;
}) {
  const form = useId();
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const { appointmentId, providerName: name, date } = session;
  const refresh = () => void queries.invalidateQueries({ queryKey: api.reviews.key() });

  const withdraw = useMutation({
    mutationFn: () => api.reviews.withdraw.call({ appointmentId }),
    onSuccess: () => {
      setAsked(false);
      onOpenChange(false);
      toast.done(m.reviews_withdrawn());
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) refresh();
    },
  });
  const published = review?.state === 'approved';

  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={published ? m.reviews_own() : m.reviews_dialog_title()}
      description={m.reviews_dialog_text({ name, date })}
      footer={
        <>
          {review && (
            <Button variant="quiet" className="sm:mr-auto" onClick={() => setAsked(true)}>
              {m.reviews_withdraw()}
            </Button>
          )}
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {published ? m.reviews_close() : m.web_cancel()}
          </Button>
          {!published && (
            <Button type="submit" form={form} busy={busy}>
              {review ? m.web_save_changes() : m.reviews_send()}
            </Button>
          )}
        </>
      }
    >
      {review && <StateNotice review={review} />}
      {published ? (
        <Written review={review} />
      ) : (
        <ReviewForm
          id={form}
          appointmentId={appointmentId}
          review={review}
          fullName={fullName}
          onBusy={setBusy}
          onSettled={refresh}
          onSent={() => {
            onOpenChange(false);
            toast.done(m.reviews_sent());
          }}
        />
      )}
      <ConfirmDialog
        open={asked}
        act={withdraw}
        failure={reviewFailure}
        onClose={() => setAsked(false)}
        title={m.reviews_withdraw_title()}
        description={m.reviews_withdraw_text()}
        confirmLabel={m.reviews_withdraw()}
        cancelLabel={m.reviews_withdraw_keep()}
        onConfirm={() => withdraw.mutate()}
      />
    </Dialog>
  );
}

function StateNotice({ review: { state, reason } }: { review: OwnReview }) {
  if (state === 'rejected') {
    return (
      <Notice title={m.reviews_rejected_notice()} className="mb-5">
        <p className="wrap-anywhere whitespace-pre-line">
          {m.reviews_rejected_text({ reason: reason ?? '' })}
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone={state === 'approved' ? 'success' : 'info'} className="mb-5">
      {state === 'approved' ? m.reviews_approved_notice() : m.reviews_waiting_notice()}
    </Notice>
  );
}

function Written({ review }: { review: OwnReview }) {
  const name = review.name ?? m.reviews_a_client();
  return (
    <figure>
      <Stars rating={review.rating} />
      {review.text && (
        <blockquote className="mt-3 wrap-anywhere whitespace-pre-line">“{review.text}”</blockquote>
      )}
      <figcaption className="mt-3 text-quiet">{[name, review.place].filter(Boolean).join(' · ')}</figcaption>
    </figure>
  );
}
