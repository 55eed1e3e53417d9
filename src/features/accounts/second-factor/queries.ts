import { sql, type RawBuilder, type Selectable } from 'kysely';
import { flagsFor, offers } from '#/features/settings/flags/queries.ts';
import { siteSettings } from '#/features/settings/queries.ts';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/crypto/sealed-column.ts';
import { isClaimed } from '../unclaimed/queries.ts';
import type { FactorCoverage, SecondFactorState } from './contract.ts';
import type { SecondFactorsTable } from './tables.ts';

/** The secret of a person's authenticator app. */
export const sealedSecret = sealedColumn('second_factors', 'secret');

/** A person's second factor as it is stored. */
export type Factor = Selectable<SecondFactorsTable>;

/** A person's second factor, also one that was begun and isn't confirmed. */
async function factorOf(ctx: Ctx, userId: string): Promise<Factor | undefined> {
  return ctx.db.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Whether the site lets a person set up a second factor. */
async function mayHaveFactor(ctx: Ctx, person: { id: string; role: Role }): Promise<boolean> {
  return (await flagsFor(ctx, person)).includes('two_factor_authentication');
}

/** Whether the site demands a second factor: by the setting, of everybody for whom the flag is on. */
export async function demandsFactor(ctx: Ctx, person: { id: string; role: Role }): Promise<boolean> {
  const { require_two_factor: required } = await siteSettings(ctx);
  return required && (await mayHaveFactor(ctx, person));
}

/** Whether the flag covers a profile `p`: the condition of `demandsFactor`, for statements about many. */
export function isCovered(): RawBuilder<boolean> {
  return offers('two_factor_authentication', { id: sql`p.id`, kind: sql`p.role` });
}

/** Whether a profile `p` has a second factor. */
export const hasFactor = sql<boolean>`exists (
  select from second_factors f where f.user_id = p.id and f.confirmed_at is not null)`;

/** Whom the second factor covers, how many of them have none yet, and how many people it doesn't cover. */
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

/** Whether a person signs in by two steps: because they have a second factor, or because the site demands one. */
export async function needsSecondStep(ctx: Ctx, person: { id: string; role: Role }): Promise<boolean> {
  const factor = await factorOf(ctx, person.id);
  return Boolean(factor?.confirmed_at) || demandsFactor(ctx, person);
}

/** How a person's second factor stands. */
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
  return { active: Boolean(factor?.confirmed_at), offered, demanded, codesLeft: codesLeft.n };
}
