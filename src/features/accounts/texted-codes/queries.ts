import type { Selectable } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { SignInPhonesTable } from '../tables.ts';

export function phoneOf({ db }: Ctx, userId: string): Promise<Selectable<SignInPhonesTable> | undefined> {
  return db.selectFrom('sign_in_phones').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

export async function holderOfNumber({ db }: Ctx, number: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_in_phones')
    .select('user_id')
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.user_id;
}
