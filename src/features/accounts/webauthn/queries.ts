import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { PasskeysTable } from './tables.ts';

export type Passkey = Selectable<PasskeysTable>;

export async function passkeysOf({ db }: Ctx, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findPasskey({ db }: Ctx, credentialId: string): Promise<Passkey | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Whether passkeys are a person's second step. */
export async function isByPasskey({ db }: Ctx, userId: string): Promise<boolean> {
  const factor = await db
    .selectFrom('second_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('by_passkey', '=', true)
    .executeTakeFirst();
  return factor !== undefined;
}
