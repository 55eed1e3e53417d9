import type { Self } from '#/features/access/rules.ts';
import { invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { BlockView } from '../contract.ts';
import { longestBlock } from './rules.ts';

/** What blocks the provider's own time within a span, by start. */
export async function ownBlocks(
  ctx: Ctx,
  providerId: Self,
  { from, to }: { from: string; to: string },
): Promise<BlockView[]> {
  const start = Temporal.Instant.from(from).epochMilliseconds;
  const end = Temporal.Instant.from(to).epochMilliseconds;
  if (end <= start) throw invalidField('to', 'before_from');
  if (end - start > longestBlock) throw invalidField('to', 'too_far');
  const rows = await blockRows(ctx, { start, end })
    .where('provider_id', '=', providerId)
    .select(['id', 'starts_at', 'ends_at', 'note'])
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
  return rows.map(blockViewOf);
}

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
