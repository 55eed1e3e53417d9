import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import { anywhere } from '#/platform/db/like.ts';
import type { NamedPerson } from './contract.ts';

/** How many are found at once: more words narrow them. */
const mostFound = 10;

/** Who has these ids; those whose account is erased are left out. */
export async function namesOf(ctx: Ctx, ids: readonly string[]): Promise<NamedPerson[]> {
  return people(ctx)
    .where('profiles.id', 'in', ids.length > 0 ? ids : [null])
    .execute();
}

/** The first whose name or address holds the words, by name; of providers alone if asked so. */
export async function findNames(
  ctx: Ctx,
  { search, role }: { search: string; role?: 'provider' | undefined },
): Promise<NamedPerson[]> {
  return people(ctx)
    .where(sql<SqlBool>`users.id in (${whoHas([search])})`)
    .$if(role === 'provider', (query) => query.where('role', 'in', ['doctor', 'pastor']))
    .limit(mostFound)
    .execute();
}

/** The ids of those whose name and address hold each of the words: asked of an index, however short they are. */
export function whoHas(words: readonly string[]): RawBuilder<{ id: string }> {
  const [long, short] = [words.filter(hasTrigram), words.filter((word) => !hasTrigram(word))];
  // The offsets let an index find these before anything else is asked of them.
  if (short.length === 0) return sql`select users.id from users where ${holdAll(long)} offset 0`;
  const likely = sql<{ id: string }>`select users_with(${short.flatMap(piecesOf)}::text[]) as id offset 0`;
  const unsure = words.filter((word) => word.length > 2);
  if (unsure.length === 0) return likely;
  return sql`select users.id from (${likely}) as likely join users on users.id = likely.id where ${holdAll(unsure)} offset 0`;
}

/** That name and address of `users` hold each of the words. */
export function holdAll(words: readonly string[]): RawBuilder<SqlBool> {
  const held = words.map(
    (word) => sql`lower(users.name || ' ' || users.email) like ${anywhere(word.toLowerCase())}`,
  );
  return sql.join(held, sql` and `);
}

/** Trigrams are made of letters and digits alone. */
function hasTrigram(word: string): boolean {
  return /[a-z0-9]{3}/i.test(word);
}

/** The letter of a word that has one alone, or every two in a row, as the index has them. */
function piecesOf(word: string): string[] {
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
