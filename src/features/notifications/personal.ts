import type { Ctx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';

/** When a person gets the mails of the morning; the mails to them, and those that are answered to them; of those that were sent only the key is left, which ends with their number. */
export const notificationsPersonal: PersonalPart = {
  name: 'notifications',
  async collect(ctx, personId) {
    const address = await addressOf(ctx, personId);
    const rows = await ctx.db
      .selectFrom('mails')
      .selectAll()
      .where(({ or, eb }) =>
        or([eb('recipient', '=', address), eb('reply_to', '=', address), eb('key', 'like', `%:${personId}`)]),
      )
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const mornings = await ctx.db
      .selectFrom('mornings')
      .selectAll()
      .where('person_id', '=', personId)
      .execute();
    return { tables: { mails: rows, mornings } };
  },
  async erase(tx, personId) {
    await tx.db.deleteFrom('mornings').where('person_id', '=', personId).execute();
    const address = await addressOf(tx, personId);
    await tx.db
      .deleteFrom('mails')
      .where(({ or, eb }) =>
        or([eb('recipient', '=', address), eb('reply_to', '=', address), eb('key', 'like', `%:${personId}`)]),
      )
      .execute();
  },
};

async function addressOf({ db }: Ctx, personId: string): Promise<string> {
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  return email;
}
