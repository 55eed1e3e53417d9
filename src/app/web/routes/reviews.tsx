import { can } from '#/features/access/rules.ts';
import { receivedQuery, useReviewNews } from '#/features/reviews/ui/review-queries.ts';
import { m } from '#/texts/messages.js';
import { pageRequest } from '../contexts.ts';
import { prefetchFor } from '../prefetch.ts';
import { unlisted } from '../page-meta.ts';
import { ProviderPage } from '../provider-page.tsx';
import type { Route } from './+types/reviews.ts';
import { ReceivedReviews } from '#/features/reviews/ui/received-reviews.tsx';
import { RatingSummary } from '#/features/reviews/ui/rating-summary.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const found = await prefetchFor(context.get(pageRequest), (queries, { reviews }, { role }) =>
    can(role, 'view_own_analytics')
      ? [queries.infiniteQuery(receivedQuery(reviews)), queries.query(reviews.ratings.queryOptions())]
      : [],
  );
  return { known: found?.known ?? null };
}

export const meta = unlisted(m.reviews_own_title);

export default function Reviews({ loaderData }: Route.ComponentProps) {
  return (
    <ProviderPage title={m.reviews_own_title()} capability="view_own_analytics" known={loaderData.known}>
      <OwnReviews />
    </ProviderPage>
  );
}

function OwnReviews() {
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
