import { isExpired } from '../credentials/rules.ts';
import type { LicenceEnd } from './contract.ts';

/** How many days before its end a licence or an ordination is flagged. */
const noticeDays = 60;

/** Whether what licenses or ordains somebody until a day (`YYYY-MM-DD`) ends soon or has ended; null where it holds on. */
export function licenceEndOf(until: string | null, today: string): LicenceEnd | null {
  if (until === null) return null;
  if (isExpired(until, today)) return { until, state: 'ended' };
  return until <= flaggedUntil(today) ? { until, state: 'ending' } : null;
}

/** The furthest last day that is flagged on a day. */
export function flaggedUntil(today: string): string {
  return Temporal.PlainDate.from(today).add({ days: noticeDays }).toString();
}
