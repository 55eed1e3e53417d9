import type { Api } from '#/web/api.tsx';
import type { reviewsContract } from '../contract.ts';
import { nextOffset } from './next-offset.ts';

const page = 10;

export function receivedQuery(reviews: Api<{ reviews: typeof reviewsContract }>['reviews']) {
  return reviews.received.infiniteOptions({
    input: (offset: number) => ({ offset, limit: page }),
    initialPageParam: 0,
    getNextPageParam: nextOffset(page),
  });
}
