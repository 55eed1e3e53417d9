import { useInfiniteQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Card } from '#/web/components/card.tsx';
import { Stars } from '#/web/components/stars.tsx';
import { monthAndYear } from '#/web/times.ts';
import { OwnReply } from './own-reply.tsx';
import { receivedQuery } from './review-queries.ts';
import { ReviewPages } from './review-pages.tsx';

export function ReceivedReviews() {
  const query = useInfiniteQuery(receivedQuery(api.reviews));
  return (
    <ReviewPages query={query} empty={<p className="text-quiet">{m.reviews_received_empty()}</p>}>
      {(reviews) => (
        <Card as="div" className="px-5! py-1!">
          <ul className="divide-y divide-line">
            {reviews.map(({ id, rating, text, name, place, service, writtenIn, reply }) => (
              <li key={id} className="py-3">
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <Stars rating={rating} />
                  {text === null && <p className="text-sm text-quiet">{m.reviews_no_words()}</p>}
                  <time dateTime={writtenIn} className="ml-auto text-sm text-quiet">
                    {monthAndYear(writtenIn)}
                  </time>
                </div>
                {text !== null && <p className="mt-1.5 wrap-anywhere whitespace-pre-line">“{text}”</p>}
                <div className="flex flex-wrap items-center gap-x-3">
                  <p className="min-w-0 flex-1 py-1.5 text-sm wrap-anywhere text-quiet">
                    {[name ?? m.reviews_a_client(), place, service.title].filter(Boolean).join(' · ')}
                  </p>
                  <OwnReply
                    reviewId={id}
                    reply={reply}
                    about={m.replies_reply_to({
                      name: name ?? m.reviews_a_client(),
                      month: monthAndYear(writtenIn),
                    })}
                  />
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </ReviewPages>
  );
}
