import { usualLengths } from '#/features/catalogue/prices/rules.ts';

/** The lengths from which on an opening is stored, in minutes. */
export const openingMinutes = [15, 30, 60, 90] as const;

/**
 * The length that an opening from `minutes` on is reckoned with: no session of that length or longer, whatever the
 * service, is made shorter than this by the lengths that the specialist has chosen.
 */
export function openingLength(chosen: readonly number[] | null, minutes: number): number {
  const usual = usualLengths.filter((length) => chosen === null || chosen.includes(length));
  return usual.length === 0 ? minutes : Math.min(minutes, ...usual.slice(-1));
}

/** The longest stored length whose openings hold for sessions of this one; the shortest where it is shorter than all. */
export function openingFor(minutes: number): (typeof openingMinutes)[number] {
  return openingMinutes.findLast((length) => length <= minutes) ?? openingMinutes[0];
}
