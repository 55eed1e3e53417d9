import type { FieldProblem } from '#/kernel/errors.ts';
import type { Interval } from '#/kernel/interval.ts';
import { day } from '#/kernel/zone-clock.ts';

/** Milliseconds; also the longest query period. */
export const longestBlock = 62 * day;

/** Milliseconds: three years. */
const furthestEnd = 1_096 * day;

/** Epoch milliseconds. */
export function blockProblem({ start, end }: Interval, now: number): FieldProblem | null {
  if (end <= start) return { field: 'endsAt', reason: 'ends_before_it_begins' };
  if (end <= now) return { field: 'endsAt', reason: 'in_past' };
  if (end - start > longestBlock) return { field: 'endsAt', reason: 'too_long' };
  return end > now + furthestEnd ? { field: 'endsAt', reason: 'too_far' } : null;
}
