import type { Ctx } from '#/platform/context.ts';

export interface Unanswered {
  id: string;
  client_id: string;
  provider_id: string;
}

export async function unanswered(ctx: Ctx): Promise<Unanswered[]> {
  return ctx.db
    .selectFrom('appointments')
    .select(['id', 'client_id', 'provider_id'])
    .where('status', '=', 'pending')
    .where('starts_at', '<=', new Date(ctx.now().epochMilliseconds))
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
}
