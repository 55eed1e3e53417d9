import { Star } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { OwnReview, ReviewState } from '../contract.ts';
import type { ReviewedSession } from './review-dialog.tsx';

const ReviewDialog = lazyPart(async () => (await import('./review-dialog.tsx')).ReviewDialog);

const states: Readonly<Record<ReviewState, { text: () => string; tone: 'gold' | 'sage' | 'clay' }>> = {
  waiting: { text: m.reviews_state_waiting, tone: 'gold' },
  approved: { text: m.moderation_approved, tone: 'sage' },
  rejected: { text: m.reviews_state_rejected, tone: 'clay' },
};

export function ReviewBadge({ review }: { review: OwnReview }) {
  const { text, tone } = states[review.state];
  return <Badge tone={tone}>{text()}</Badge>;
}

export function ReviewButton({
  session,
  review,
  fullName,
}: {
  session: ReviewedSession;
  review: OwnReview | null;
  fullName: string;
}) {
  // Stays mounted to keep typed text.
  const [opened, setOpened] = useState(false);
  const [open, setOpen] = useState(false);
  const label = review
    ? review.state === 'approved'
      ? m.reviews_own()
      : m.reviews_edit()
    : m.reviews_review();
  return (
    <>
      <Button
        variant="secondary"
        size="compact"
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        <Star aria-hidden />
        <span>
          {label}
          <VisuallyHidden>
            {' '}
            {m.reviews_of_session({ name: session.providerName, date: session.date })}
          </VisuallyHidden>
        </span>
      </Button>
      {opened && (
        <ReviewDialog
          open={open}
          onOpenChange={setOpen}
          session={session}
          review={review}
          fullName={fullName}
        />
      )}
    </>
  );
}
