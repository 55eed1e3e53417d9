import { AppError } from '#/kernel/errors.ts';
import type { OwnPlace } from './contract.ts';

/** Finds a place among the provider's own. Throws `not_found` (`place`) for any other. */
export function requireOwnPlace(places: readonly OwnPlace[], placeId: string): OwnPlace {
  const place = places.find(({ id }) => id === placeId);
  if (!place) throw new AppError('not_found', 'place');
  return place;
}
