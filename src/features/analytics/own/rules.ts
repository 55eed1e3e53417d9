import { meanRating } from '#/features/providers/rules.ts';
import type { Tally } from './contract.ts';

export interface Counted extends Omit<Tally, 'rating'> {
  ratingSum: number;
}

/** Adds up periods, weighting every rating equally. */
export function tallyOf(parts: readonly Counted[]): Tally {
  const sum = (of: (part: Counted) => number) => parts.reduce((total, part) => total + of(part), 0);
  const reviews = sum((part) => part.reviews);
  return {
    sessions: sum((part) => part.sessions),
    hours: sum((part) => part.hours),
    noShows: sum((part) => part.noShows),
    cancelled: sum((part) => part.cancelled),
    rating: meanRating(
      sum((part) => part.ratingSum),
      reviews,
    ),
    reviews,
  };
}
