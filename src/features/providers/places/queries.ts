import type { Ctx } from '#/platform/context.ts';
import type { Practice } from '../practice/policies.ts';
import type { OwnPlace } from './contract.ts';

/** The provider's places in order, closed ones last. */
export async function ownPlaces({ db }: Ctx, practice: Practice): Promise<OwnPlace[]> {
  const rows = await db
    .selectFrom('places')
    .select(['id', 'name', 'address', 'town', 'directions', 'latitude', 'longitude', 'closed'])
    .where('provider_id', '=', practice)
    .orderBy('closed')
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(({ latitude, longitude, ...row }) => ({
    ...row,
    coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
  }));
}

export async function townsOf({ db }: Ctx, providerId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('places')
    .select('town')
    .where('provider_id', '=', providerId)
    .where('closed', '=', false)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return [...new Set(rows.map(({ town }) => town))];
}
