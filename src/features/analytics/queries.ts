import type { Ctx } from '#/platform/context.ts';

/** Counts everybody with an account, and the specialists who stand in the directory. */
export async function overview(ctx: Ctx): Promise<{ totalUsers: number; activeProviders: number }> {
  const [users, providers] = await Promise.all([
    ctx.db
      .selectFrom('profiles')
      .where('erased_at', 'is', null)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
    ctx.db
      .selectFrom('providers')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('listed', '=', true)
      .executeTakeFirstOrThrow(),
  ]);
  return { totalUsers: users.n, activeProviders: providers.n };
}
