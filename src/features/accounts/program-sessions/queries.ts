import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { identitiesOf } from '../openid/queries.ts';
import { emailChangeOf, personOf } from '../queries.ts';
import { phoneOf } from '../texted-codes/queries.ts';
import type { ProgramUser } from './contract.ts';

/** Whether anyone may sign in from a program. */
export async function isOffered({ db }: Ctx): Promise<boolean> {
  const flag = await db
    .selectFrom('feature_flags')
    .select('enabled')
    .where('id', '=', 'mobile_app_access')
    .executeTakeFirst();
  return flag?.enabled ?? false;
}

/** Returns what only programs' sessions have; undefined for a browser's. */
export function programSession({ db }: Ctx, sessionId: string) {
  return db
    .selectFrom('program_sessions')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .where('session_id', '=', sessionId)
    .select(['session_id', 'user_id', 'method', 'factor_at', 'recovers_until', 'sessions.created_at'])
    .executeTakeFirst();
}

/** Returns a person as the published client expects them, with the acting role. */
export async function programUser(ctx: Ctx, { id, role }: { id: string; role: Role }): Promise<ProgramUser> {
  const [{ email, emailVerified, fullName }, user, factors, identities, phone, change] = await Promise.all([
    personOf(ctx, id),
    ctx.db
      .selectFrom('users')
      .select(['created_at', 'updated_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
    programFactors(ctx, id),
    identitiesOf(ctx, id),
    phoneOf(ctx, id),
    emailChangeOf(ctx, { userId: id }),
  ]);
  const createdAt = user.created_at.toISOString();
  return {
    id,
    aud: 'authenticated',
    role,
    email,
    ...(change && {
      new_email: change.address,
      email_change_sent_at: change.created_at.toISOString(),
    }),
    ...(emailVerified ? { email_confirmed_at: createdAt, confirmed_at: createdAt } : {}),
    // The published service leaves out the `+`.
    phone: phone?.number.slice(1) ?? '',
    ...(phone && { phone_confirmed_at: phone.created_at.toISOString() }),
    app_metadata: {
      provider: 'email',
      providers: ['email', ...(phone ? ['phone'] : []), ...identities.map(({ provider }) => provider)],
    },
    user_metadata: { full_name: fullName },
    identities: identities.map((one) => ({
      identity_id: one.id,
      id: one.subject,
      user_id: id,
      provider: one.provider,
      identity_data: { email: one.email },
      created_at: one.created_at.toISOString(),
      last_sign_in_at: one.used_at?.toISOString() ?? null,
    })),
    factors,
    is_anonymous: false,
    created_at: createdAt,
    updated_at: user.updated_at.toISOString(),
  };
}

/** Returns a person's second factor, if any. */
export async function programFactors(
  { db }: Ctx,
  userId: string,
  { locked = false } = {},
): Promise<ProgramUser['factors']> {
  const rows = await db
    .selectFrom('second_factors')
    .select(['id', 'by_passkey', 'confirmed_at', 'created_at'])
    .where('user_id', '=', userId)
    .$if(locked, (factors) => factors.forUpdate())
    .execute();
  return rows.map(({ id, by_passkey, confirmed_at, created_at }) => ({
    id,
    factor_type: by_passkey ? 'webauthn' : 'totp',
    status: confirmed_at ? 'verified' : 'unverified',
    created_at: created_at.toISOString(),
    updated_at: (confirmed_at ?? created_at).toISOString(),
  }));
}
