import type { FieldProblem } from '#/kernel/errors.ts';
import type { Interval } from '#/kernel/interval.ts';
import { day } from '#/kernel/zone-clock.ts';

/** The longest block, and the longest span that is asked for, in milliseconds: two months. */
export const longestBlock = 62 * day;

/** How far ahead a block may end, in milliseconds: three years. */
const furthestAhead = 1_096 * day;

/** What is wrong with a span that is to be blocked; instants in epoch milliseconds. */
export function blockProblem({ start, end }: Interval, now: number): FieldProblem | null {
  if (end <= start) return { field: 'endsAt', reason: 'ends_before_it_begins' };
  if (end <= now) return { field: 'endsAt', reason: 'in_past' };
  if (end - start > longestBlock) return { field: 'endsAt', reason: 'too_long' };
  return end > now + furthestAhead ? { field: 'endsAt', reason: 'too_far' } : null;
}
