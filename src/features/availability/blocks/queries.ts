import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { BlockView } from '../contract.ts';
import { longestBlock } from './rules.ts';

/** The blocks that meet a span (epoch milliseconds), before anyone has narrowed them to a provider's. */
export function blockRows({ db }: Pick<Ctx, 'db'>, span: { start: number; end: number }) {
  return (
    db
      .selectFrom('time_blocks')
      // The first bound is the second one's for the index, which knows starts only.
      .where('starts_at', '>', new Date(span.start - longestBlock - 1))
      .where('ends_at', '>', new Date(span.start))
      .where('starts_at', '<', new Date(span.end))
  );
}

/** A block as its provider sees it. */
export function blockViewOf(row: { id: string; starts_at: Date; ends_at: Date; note: string }): BlockView {
  return {
    id: row.id,
    startsAt: isoOf(row.starts_at.getTime()),
    endsAt: isoOf(row.ends_at.getTime()),
    note: row.note,
  };
}
