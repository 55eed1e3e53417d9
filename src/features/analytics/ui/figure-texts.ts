import { m } from '#/texts/messages.js';

/** Hours to one decimal, such as `6.5`. */
export function hoursText(hours: number): string {
  return String(Math.round(hours * 10) / 10);
}

/** A mean rating to one decimal; a dash where nobody has rated. */
export function ratingText(rating: number | null): string {
  return rating === null ? m.analytics_none() : rating.toFixed(1);
}
