import type { Self } from '#/features/access/rules.ts';
import { changesIn } from '#/features/audit/rules.ts';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { minuteText } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { changeHours } from '../commands.ts';
import { requireOwnBlock } from '../policies.ts';
import type { BlockView } from '../contract.ts';
import { blockProblem } from './rules.ts';
import { blockViewOf } from './queries.ts';

/** ISO instants. */
interface BlockInput {
  startsAt: string;
  endsAt: string;
  note: string;
}

/** More upcoming blocks are a mistake. */
const maxAhead = 1_000;

/** Blocks a period; a repeat updates the note. Existing appointments stay. */
export async function block(ctx: Ctx, providerId: Self, input: BlockInput): Promise<BlockView> {
  const span = spanOf(ctx, input);
  return changeHours(ctx, providerId, async (tx) => {
    const { ahead } = await tx.db
      .selectFrom('time_blocks')
      .select(({ fn }) => fn.countAll<string>().as('ahead'))
      .where('provider_id', '=', providerId)
      .where('ends_at', '>', new Date(tx.now().epochMilliseconds))
      .executeTakeFirstOrThrow();
    if (Number(ahead) >= maxAhead) throw new AppError('precondition', 'too_many');
    const row = await tx.db
      .insertInto('time_blocks')
      .values({
        id: tx.newId(),
        provider_id: providerId,
        ...span,
        note: input.note,
        created_at: new Date(tx.now().epochMilliseconds),
      })
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'starts_at', 'ends_at']).doUpdateSet({ note: input.note }),
      )
      .returning(['id', 'starts_at', 'ends_at', 'note'])
      .executeTakeFirstOrThrow();
    return {
      answer: blockViewOf(row),
      change: { action: 'availability.blocked', details: { id: row.id, ...timesOf(row) } },
    };
  });
}

export async function changeBlock(
  ctx: Ctx,
  providerId: Self,
  { blockId, ...input }: BlockInput & { blockId: string },
): Promise<BlockView> {
  const span = spanOf(ctx, input);
  return changeHours(ctx, providerId, async (tx) => {
    const before = await requireOwnBlock(tx, providerId, blockId);
    // Replaces another block with the same period.
    await tx.db
      .deleteFrom('time_blocks')
      .where('provider_id', '=', providerId)
      .where('starts_at', '=', span.starts_at)
      .where('ends_at', '=', span.ends_at)
      .where('id', '<>', blockId)
      .execute();
    const row = await tx.db
      .updateTable('time_blocks')
      .set({ ...span, note: input.note })
      .where('id', '=', blockId)
      .returning(['id', 'starts_at', 'ends_at', 'note'])
      .executeTakeFirstOrThrow();
    return {
      answer: blockViewOf(row),
      change: {
        action: 'availability.block_changed',
        details: {
          id: row.id,
          ...changesIn(timesOf(before), timesOf(row)),
          ...(before.note !== row.note && { note: 'changed' }),
        },
      },
    };
  });
}

export async function unblock(ctx: Ctx, providerId: Self, blockId: string): Promise<{ id: string }> {
  return changeHours(ctx, providerId, async (tx) => {
    const before = await requireOwnBlock(tx, providerId, blockId);
    await tx.db.deleteFrom('time_blocks').where('id', '=', blockId).execute();
    return {
      answer: { id: blockId },
      change: { action: 'availability.unblocked', details: { id: blockId, ...timesOf(before) } },
    };
  });
}

function timesOf({ starts_at, ends_at }: { starts_at: Date; ends_at: Date }) {
  return { start: minuteText(starts_at), end: minuteText(ends_at) };
}

function spanOf(ctx: Ctx, { startsAt, endsAt }: BlockInput): { starts_at: Date; ends_at: Date } {
  const start = Temporal.Instant.from(startsAt).epochMilliseconds;
  const end = Temporal.Instant.from(endsAt).epochMilliseconds;
  const problem = blockProblem({ start, end }, ctx.now().epochMilliseconds);
  if (problem) throw invalidField(problem.field, problem.reason);
  return { starts_at: new Date(start), ends_at: new Date(end) };
}
