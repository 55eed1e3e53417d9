import { ReceivedReviews } from '#/features/reviews/ui/received-reviews.tsx';
import { RatingSummary } from '#/features/reviews/ui/rating-summary.tsx';
import { useReviewNews } from '#/features/reviews/ui/review-queries.ts';

export function OwnReviews() {
  useReviewNews();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="lg:order-last">
        <RatingSummary />
      </div>
      <div className="min-w-0">
        <ReceivedReviews />
      </div>
    </div>
  );
}
