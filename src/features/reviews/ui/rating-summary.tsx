import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { meanRating } from '#/features/providers/rules.ts';
import { api } from '#/web/api.tsx';
import { Section } from '#/web/components/card.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { ShareBar } from '#/web/components/share-bar.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { Stars } from '#/web/components/stars.tsx';

/** The provider's average rating, and how many reviews gave each number of stars. Nothing without reviews. */
export function RatingSummary() {
  const query = useQuery(api.reviews.ratings.queryOptions());
  return (
    <Fetched query={query} failure={m.reviews_load_failed()} skeleton={<Skeleton className="h-56" />}>
      {({ counts }) => {
        const all = counts.reduce((sum, count) => sum + count, 0);
        const average = meanRating(
          counts.reduce((sum, count, index) => sum + count * (index + 1), 0),
          all,
        );
        if (average === null) return null;
        return (
          <Section card title={m.reviews_rating()} titleClassName="sr-only">
            <p className="flex flex-wrap items-center gap-x-3">
              <span aria-hidden className="font-serif text-4xl font-semibold tabular-nums">
                {average.toFixed(1)}
              </span>
              <span>
                <Stars rating={average} />
                <span className="block text-sm text-quiet">{m.therapists_reviews({ count: all })}</span>
              </span>
            </p>
            <ol className="mt-4 grid gap-2 text-sm tabular-nums">
              {counts
                .map((count, index) => (
                  <li key={index} className="grid grid-cols-[4rem_minmax(0,1fr)_2.5rem] items-center gap-3">
                    <span>{m.reviews_stars_only({ count: index + 1 })}</span>
                    <ShareBar share={count / all} look="fill-gold" />
                    <span className="text-right">{count}</span>
                  </li>
                ))
                .toReversed()}
            </ol>
            <Link
              to="/insights"
              className="mt-3 inline-flex min-h-11 items-center gap-1.5 font-semibold text-primary [&_svg]:size-4.5"
            >
              {m.reviews_by_month()}
              <ArrowRight aria-hidden />
            </Link>
          </Section>
        );
      }}
    </Fetched>
  );
}
