import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { BlockView } from '../contract.ts';
import { longestBlock } from './rules.ts';

/** Epoch milliseconds. Callers must add the provider. */
export function blockRows({ db }: Pick<Ctx, 'db'>, span: { start: number; end: number }) {
  return (
    db
      .selectFrom('time_blocks')
      // Bounds the scan of the `starts_at` index.
      .where('starts_at', '>', new Date(span.start - longestBlock - 1))
      .where('ends_at', '>', new Date(span.start))
      .where('starts_at', '<', new Date(span.end))
  );
}

export function blockViewOf(row: { id: string; starts_at: Date; ends_at: Date; note: string }): BlockView {
  return {
    id: row.id,
    startsAt: isoOf(row.starts_at.getTime()),
    endsAt: isoOf(row.ends_at.getTime()),
    note: row.note,
  };
}
