import { sql, type RawBuilder, type Selectable } from 'kysely';
import { flagsFor, offers } from '#/features/settings/flags/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import { isClaimed } from '../queries.ts';
import type { FactorCoverage, SecondFactorState } from './contract.ts';
import type { SecondFactorsTable } from '../tables.ts';

export const sealedSecret = sealedColumn('second_factors', 'secret');

export type Factor = Selectable<SecondFactorsTable>;

async function factorOf(ctx: Ctx, userId: string): Promise<Factor | undefined> {
  return ctx.db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

async function mayHaveFactor(ctx: Ctx, person: { id: string; role: Role }): Promise<boolean> {
  return (await flagsFor(ctx, person)).includes('two_factor_authentication');
}

/** The setting applies only where the flag does. */
export async function demandsFactor(ctx: Ctx, person: { id: string; role: Role }): Promise<boolean> {
  const { require_two_factor: required } = await siteSettings(ctx);
  return required && (await mayHaveFactor(ctx, person));
}

/** SQL version of `mayHaveFactor` for a profile `p`. */
export function isCovered(): RawBuilder<boolean> {
  return offers('two_factor_authentication', { id: sql`p.id`, kind: sql`p.role` });
}

export const hasFactor = sql<boolean>`exists (
  select from second_factors f where f.user_id = p.id and f.confirmed_at is not null)`;

export async function coverageOf(ctx: Ctx): Promise<FactorCoverage> {
  const { require_two_factor: demanded } = await siteSettings(ctx);
  const { enabled, scope, roles } = await ctx.db
    .selectFrom('feature_flags')
    .select(['enabled', 'scope', 'roles'])
    .where('id', '=', 'two_factor_authentication')
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ covered: number; lacking: number; uncovered: number }>`
    select (count(*) filter (where ${isCovered()}))::integer as covered,
           (count(*) filter (where ${isCovered()} and not ${hasFactor}))::integer as lacking,
           (count(*) filter (where not ${isCovered()}))::integer as uncovered
      from profiles p
     where p.erased_at is null and (p.delete_after is null or p.delete_after > ${new Date(ctx.now().epochMilliseconds)})
       and ${isClaimed()}`.execute(ctx.db);
  return { offered: enabled, demanded, scope, roles, ...rows[0]! };
}

/** Sign-in needs a second step if set up or required. */
export async function needsSecondStep(ctx: Ctx, person: { id: string; role: Role }): Promise<boolean> {
  const factor = await factorOf(ctx, person.id);
  return Boolean(factor?.confirmed_at) || demandsFactor(ctx, person);
}

export async function stateOf(ctx: Ctx, person: { id: string; role: Role }): Promise<SecondFactorState> {
  const [factor, offered, demanded] = await Promise.all([
    factorOf(ctx, person.id),
    mayHaveFactor(ctx, person),
    demandsFactor(ctx, person),
  ]);
  const codesLeft = factor
    ? await ctx.db
        .selectFrom('backup_codes')
        .where('factor_id', '=', factor.id)
        .where('used_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    : { n: 0 };
  return {
    active: Boolean(factor?.confirmed_at),
    byPasskey: factor?.by_passkey === true,
    offered,
    demanded,
    codesLeft: codesLeft.n,
  };
}
