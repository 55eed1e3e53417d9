import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** Excludes unclaimed accounts; expects a profile `p`. */
export function isClaimed(): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select from users as unclaimed where unclaimed.id = p.id and unclaimed.email like '%@unclaimed.invalid')`;
}
