import type { Ctx } from '#/platform/context.ts';
import { onReplica } from '#/platform/db/replica.ts';
import { raiseOpenings } from './openings/commands.ts';
import type { FindInput, Found } from './contract.ts';
import { findIds, specialistsById } from './queries.ts';

/** Finds listed specialists, storing openings learned on the way to speed up later searches. */
export async function find(ctx: Ctx, input: FindInput): Promise<Found> {
  const { ids, more, total, looked } = await onReplica(findIds)(ctx, input);
  const [specialists] = await Promise.all([onReplica(specialistsById)(ctx, ids), raiseOpenings(ctx, looked)]);
  return { specialists, more, total };
}
