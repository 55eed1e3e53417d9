import { useInfiniteQuery } from '@tanstack/react-query';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Card } from '#/web/components/card.tsx';
import { Stars } from '#/web/components/stars.tsx';
import { longDateText } from '#/web/times.ts';
import type { ModeratedReview, ReviewState } from '../contract.ts';
import { ModerationList } from './moderation-list.tsx';
import { nextOffset } from './review-queries.ts';
import { ReviewDecisions } from './review-decisions.tsx';

const page = 10;

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
