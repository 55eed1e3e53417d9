import { isExpired } from '../practice/rules.ts';
import type { LicenseEnd } from './contract.ts';

/** Days before expiry. */
const noticeDays = 60;

/** Returns whether a license valid until a day (`YYYY-MM-DD`) is expiring or expired; null otherwise. */
export function licenseEndOf(until: string | null, today: string): LicenseEnd | null {
  if (until === null) return null;
  if (isExpired(until, today)) return { until, state: 'ended' };
  return until <= flaggedUntil(today) ? { until, state: 'ending' } : null;
}

export function flaggedUntil(today: string): string {
  return Temporal.PlainDate.from(today).add({ days: noticeDays }).toString();
}
