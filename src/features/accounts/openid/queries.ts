import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { LinkedIdentitiesTable } from './tables.ts';

export type LinkedIdentity = Selectable<LinkedIdentitiesTable>;

export async function identitiesOf({ db }: Ctx, userId: string): Promise<LinkedIdentity[]> {
  return db
    .selectFrom('linked_identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findIdentity(
  { db }: Ctx,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<LinkedIdentity | undefined> {
  return db
    .selectFrom('linked_identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}
