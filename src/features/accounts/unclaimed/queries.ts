import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** That the profile `p` of a statement is somebody's who has an account: not one that was made for them and never claimed. */
export function isClaimed(): RawBuilder<SqlBool> {
  return sql<SqlBool>`not exists (
    select from users as unclaimed where unclaimed.id = p.id and unclaimed.email like '%@unclaimed.invalid')`;
}
