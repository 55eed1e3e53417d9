import type { ServiceSummary } from '../contract.ts';

/** Minutes, in addition to the service's own length. */
export const usualLengths: readonly number[] = [30, 60, 90];

/** Returns the price in cents; lengths without a set price are prorated. */
export function priceOf(
  service: Pick<ServiceSummary, 'durationMinutes' | 'priceCents' | 'lengthPrices'>,
  minutes: number,
): number {
  if (minutes === service.durationMinutes) return service.priceCents;
  const set = service.lengthPrices.find((one) => one.minutes === minutes);
  return set ? set.priceCents : Math.round((service.priceCents * minutes) / service.durationMinutes);
}
