import { ReceivedReviews } from '#/features/reviews/ui/received-reviews.tsx';
import { useReviewNews } from '#/features/reviews/ui/review-news.ts';

/** What clients have written about the provider, with their answers; as it changes. */
export function OwnReviews() {
  useReviewNews();
  return (
    <div className="max-w-3xl">
      <ReceivedReviews />
    </div>
  );
}
