import type { Api } from '#/web/api.tsx';
import type { reviewsContract } from '../contract.ts';
import { nextOffset } from './next-offset.ts';

/** How many are fetched at a time. */
const page = 10;

/** The pages of what clients have said about the provider who asks. */
export function receivedQuery(reviews: Api<{ reviews: typeof reviewsContract }>['reviews']) {
  return reviews.received.infiniteOptions({
    input: (offset: number) => ({ offset, limit: page }),
    initialPageParam: 0,
    getNextPageParam: nextOffset(page),
  });
}
