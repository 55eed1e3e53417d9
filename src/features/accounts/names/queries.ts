import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { People } from '#/features/audit/log/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { containsPattern } from '#/platform/db/like.ts';
import type { NamedPerson } from './contract.ts';

const maxFound = 10;

/** Omits erased accounts. */
export async function namesOf(ctx: Ctx, ids: readonly string[]): Promise<NamedPerson[]> {
  return people(ctx)
    .where('profiles.id', 'in', ids.length > 0 ? ids : [null])
    .execute();
}

/** Returns the first ten matches, sorted by name. */
export async function findNames(
  ctx: Ctx,
  { search, role }: { search: string; role?: 'provider' | undefined },
): Promise<NamedPerson[]> {
  return people(ctx)
    .where(sql<SqlBool>`users.id in (${usersMatching([search])})`)
    .$if(role === 'provider', (query) => query.where('role', 'in', ['doctor', 'pastor']))
    .limit(maxFound)
    .execute();
}

/** Selects ids of users matching every word, by index even for short words. */
export function usersMatching(words: readonly string[]): RawBuilder<{ id: string }> {
  const [long, short] = [words.filter(hasTrigram), words.filter((word) => !hasTrigram(word))];
  // `offset 0` keeps Postgres from merging the subquery, so the index runs first.
  if (short.length === 0) return sql`select users.id from users where ${matchesAll(long)} offset 0`;
  const likely = sql<{ id: string }>`select users_with(${short.flatMap(bigramsOf)}::text[]) as id offset 0`;
  const unsure = words.filter((word) => word.length > 2);
  if (unsure.length === 0) return likely;
  return sql`select users.id from (${likely}) as likely join users on users.id = likely.id where ${matchesAll(unsure)} offset 0`;
}

export function matchesAll(words: readonly string[]): RawBuilder<SqlBool> {
  const conditions = words.map(
    (word) => sql`lower(users.name || ' ' || users.email) like ${containsPattern(word.toLowerCase())}`,
  );
  return sql.join(conditions, sql` and `);
}

/** How the audit log names and finds people. */
export const recordedPeople: People = {
  namesOf,
  async idsOf({ db }, words, max) {
    const { rows } = await sql<{ id: string }>`${usersMatching([words])} limit ${max}`.execute(db);
    return rows.map(({ id }) => id);
  },
};

function hasTrigram(word: string): boolean {
  return /[a-z0-9]{3}/i.test(word);
}

/** Returns bigrams as indexed, or a single letter. */
function bigramsOf(word: string): string[] {
  const letters = [...word.toLowerCase()];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, index) => letters[index]! + letter);
}

function people({ db }: Pick<Ctx, 'db'>) {
  return db
    .selectFrom('profiles')
    .innerJoin('users', 'users.id', 'profiles.id')
    .select(['profiles.id', 'full_name as name', 'email', 'role'])
    .where('erased_at', 'is', null)
    .where('email', 'not like', '%@unclaimed.invalid')
    .orderBy('full_name')
    .orderBy('profiles.id');
}
