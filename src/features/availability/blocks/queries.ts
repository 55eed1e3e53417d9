import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { BlockView } from '../contract.ts';
import { longestBlock } from './rules.ts';

/** `earliest` bounds the scan of the `starts_at` index. */
export function blockBounds(span: { start: number; end: number }) {
  return {
    earliest: new Date(span.start - longestBlock - 1),
    from: new Date(span.start),
    to: new Date(span.end),
  };
}

/** Callers must add the provider. */
export function blockRows({ db }: Pick<Ctx, 'db'>, { earliest, from, to }: ReturnType<typeof blockBounds>) {
  return db
    .selectFrom('time_blocks')
    .where('starts_at', '>', earliest)
    .where('ends_at', '>', from)
    .where('starts_at', '<', to);
}

export function blockViewOf(row: { id: string; starts_at: Date; ends_at: Date; note: string }): BlockView {
  return {
    id: row.id,
    startsAt: isoOf(row.starts_at.getTime()),
    endsAt: isoOf(row.ends_at.getTime()),
    note: row.note,
  };
}
