import { usualLengths } from '#/features/catalogue/prices/rules.ts';

/** Each stored opening covers sessions of at least this length, in minutes. */
export const openingMinutes = [15, 30, 60, 90] as const;

/**
 * Returns the session length used to compute an opening. A specialist's chosen lengths never shorten a session of
 * `minutes` or more below it.
 */
export function openingLength(chosen: readonly number[] | null, minutes: number): number {
  const usual = usualLengths.filter((length) => chosen === null || chosen.includes(length));
  return usual.length === 0 ? minutes : Math.min(minutes, ...usual.slice(-1));
}

/** Picks the longest stored length that covers this session, else the shortest. */
export function openingFor(minutes: number): (typeof openingMinutes)[number] {
  return openingMinutes.findLast((length) => length <= minutes) ?? openingMinutes[0];
}
