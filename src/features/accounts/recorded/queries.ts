import { sql } from 'kysely';
import type { People } from '#/features/audit/log/queries.ts';
import { namesOf, whoHas } from '../names/queries.ts';

export const recordedPeople: People = {
  namesOf,
  async idsOf({ db }, words, most) {
    const { rows } = await sql<{ id: string }>`${whoHas([words])} limit ${most}`.execute(db);
    return rows.map(({ id }) => id);
  },
};
