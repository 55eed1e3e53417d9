import { isoOf } from '#/kernel/iso.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { detachAuthor } from './authoring/commands.ts';
import { deleteRating } from './reading/commands.ts';
import { resourceColumns } from './library/tables.ts';

/** Erasure deletes unpublished work. Published work stays, credited to the site, because readers rely on it. */
export const resourcesPersonal: PersonalPart = {
  name: 'resources',
  async collect(ctx, personId) {
    const { db } = ctx;
    const [gets, favourites, ratings, authored] = await Promise.all([
      db
        .selectFrom('resource_gets')
        .innerJoin('resources', 'resources.id', 'resource_id')
        .select(['resource_id', 'title', 'first_at', 'last_at', 'times'])
        .where('person_id', '=', personId)
        .orderBy('first_at')
        .execute(),
      db
        .selectFrom('resource_favourites')
        .innerJoin('resources', 'resources.id', 'resource_id')
        .select(['resource_id', 'title', 'resource_favourites.created_at'])
        .where('person_id', '=', personId)
        .orderBy('resource_favourites.created_at')
        .execute(),
      db
        .selectFrom('resource_ratings')
        .innerJoin('resources', 'resources.id', 'resource_id')
        .select(['resource_id', 'title', 'rating', 'rated_at'])
        .where('person_id', '=', personId)
        .orderBy('rated_at')
        .execute(),
      db
        .selectFrom('resources')
        .select(resourceColumns)
        .where('created_by', '=', personId)
        .orderBy('created_at')
        .execute(),
    ]);
    return {
      tables: {
        resource_gets: gets.map(({ first_at, last_at, ...row }) => ({
          ...row,
          first_at: isoOf(first_at),
          last_at: isoOf(last_at),
        })),
        resource_favourites: favourites.map(({ created_at, ...row }) => ({
          ...row,
          created_at: isoOf(created_at),
        })),
        resource_ratings: ratings.map(({ rated_at, ...row }) => ({ ...row, rated_at: isoOf(rated_at) })),
        resources: authored.map(({ created_at, updated_at, submitted_at, published_at, ...row }) => ({
          ...row,
          created_at: isoOf(created_at),
          updated_at: isoOf(updated_at),
          submitted_at: submitted_at && isoOf(submitted_at),
          published_at: published_at && isoOf(published_at),
        })),
      },
      files: authored.flatMap(({ file_id, file_name, cover_id, id }) => [
        ...(file_id && file_name ? [{ id: file_id, name: file_name }] : []),
        ...(cover_id ? [{ id: cover_id, name: `cover-${id}.webp` }] : []),
      ]),
    };
  },
  async erase(tx, personId) {
    const rated = await tx.db
      .selectFrom('resource_ratings')
      .innerJoin('resources', 'resources.id', 'resource_id')
      .select('resource_id')
      .where('person_id', '=', personId)
      .orderBy('resource_id')
      .forNoKeyUpdate(['resources'])
      .execute();
    for (const { resource_id } of rated) await deleteRating(tx, personId, resource_id);
    await tx.db.deleteFrom('resource_gets').where('person_id', '=', personId).execute();
    await tx.db.deleteFrom('resource_favourites').where('person_id', '=', personId).execute();
    await detachAuthor(tx, personId);
  },
};
