import { ReceivedReviews } from '#/features/reviews/ui/received-reviews.tsx';
import { useReviewNews } from '#/features/reviews/ui/review-queries.ts';

export function OwnReviews() {
  useReviewNews();
  return (
    <div className="max-w-3xl">
      <ReceivedReviews />
    </div>
  );
}
