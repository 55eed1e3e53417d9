import type { Ctx } from '#/platform/context.ts';

/** Whether it has an entry, listed or not. */
export async function hasListing({ db }: Ctx, userId: string): Promise<boolean> {
  return Boolean(await db.selectFrom('providers').select('id').where('id', '=', userId).executeTakeFirst());
}
