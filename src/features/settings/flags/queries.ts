import { sql, type Expression, type RawBuilder } from 'kysely';
import type { Role } from '#/kernel/actor.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import type { FlagId, FlagView } from './contract.ts';
import { flagsOn } from './rules.ts';

/** Null for guests and the program itself. */
export type FlagHolder = { id: string; role: Role } | null;

function holderOf({ actor }: Pick<Ctx, 'actor'>): FlagHolder {
  return actor.kind === 'person' ? actor : null;
}

/** Reads the flags without caching. */
export async function flagsFor(ctx: Ctx, holder: FlagHolder = holderOf(ctx)): Promise<FlagId[]> {
  const rows = await ctx.db
    .selectFrom('feature_flags')
    .select(['id', 'enabled', 'scope', 'roles'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('feature_flag_users')
          .select('person_id')
          .whereRef('flag_id', '=', 'feature_flags.id')
          .where('person_id', '=', holder?.id ?? null),
      ).as('chosen'),
    )
    .execute();
  return flagsOn(
    rows.map((row) => ({ ...row, chosen: Boolean(row.chosen) })),
    holder?.role ?? null,
  );
}

/** Returns the ids of people with the flag. */
export async function peopleWithFlag(
  ctx: Ctx,
  id: FlagId,
  people: readonly { id: string; role: Role }[],
): Promise<Set<string>> {
  const flag = await ctx.db
    .selectFrom('feature_flags')
    .select(['id', 'enabled', 'scope', 'roles'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const chosen = await ctx.db
    .selectFrom('feature_flag_users')
    .select('person_id')
    .where('flag_id', '=', id)
    .execute();
  const named = new Set(chosen.map(({ person_id }) => person_id));
  const having = people.filter(
    (person) => flagsOn([{ ...flag, chosen: named.has(person.id) }], person.role).length > 0,
  );
  return new Set(having.map((person) => person.id));
}

/** SQL condition: the provider has the flag. */
export function offers(
  flag: FlagId,
  provider: { id: Expression<string>; kind: Expression<string> },
): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from feature_flags as flag where flag.id = ${flag} and flag.enabled and (
      flag.scope = 'global'
      or flag.scope = 'role_based' and ${provider.kind} = any (flag.roles)
      or flag.scope = 'user_specific' and exists (
        select from feature_flag_users as chosen where chosen.flag_id = flag.id and chosen.person_id = ${provider.id}
      )
    )
  )`;
}

export async function flagViews(ctx: Ctx): Promise<FlagView[]> {
  const rows = await ctx.db
    .selectFrom('feature_flags')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('feature_flag_users')
        .select(sql<string[] | null>`array_agg(person_id order by person_id)`.as('ids'))
        .whereRef('flag_id', '=', 'feature_flags.id')
        .as('person_ids'),
    )
    .orderBy('name')
    .execute();
  return rows.map(({ modified_at, modified_by, person_ids, ...row }) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    category: row.category,
    experimental: row.experimental,
    enabled: row.enabled,
    scope: row.scope,
    roles: row.roles,
    personIds: person_ids ?? [],
    version: row.version,
    modified: modified_at && { at: isoOf(modified_at), byId: modified_by },
  }));
}
