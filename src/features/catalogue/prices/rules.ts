import type { ServiceSummary } from '../contract.ts';

/** The session lengths that every service offers, beside its own (minutes). */
export const usualLengths: readonly number[] = [30, 60, 90];

/** What a session of some length costs, in cents: what was set for that length, else in proportion to the service's own. */
export function priceOf(
  service: Pick<ServiceSummary, 'durationMinutes' | 'priceCents' | 'lengthPrices'>,
  minutes: number,
): number {
  if (minutes === service.durationMinutes) return service.priceCents;
  const set = service.lengthPrices.find((one) => one.minutes === minutes);
  return set ? set.priceCents : Math.round((service.priceCents * minutes) / service.durationMinutes);
}
