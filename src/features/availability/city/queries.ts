import type { Ctx } from '#/platform/context.ts';
import type { City } from '../contract.ts';

const most = 20;

/** Returns cities largest first; ignores accents and case. */
export async function citiesNamed(ctx: Ctx, typed: string): Promise<City[]> {
  const begin = typed
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`);
  const rows = await ctx.db
    .selectFrom('cities')
    .select(['name', 'region', 'country', 'latitude', 'longitude', 'time_zone as timeZone'])
    .where('search', 'like', `${begin}%`)
    .orderBy('population', 'desc')
    .orderBy('name')
    .orderBy('region')
    .limit(most)
    .execute();
  return rows;
}
