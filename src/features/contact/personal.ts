import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';

/** Messages that the person sent while signed in, or from an address that has been shown to be theirs. */
function messagesOf(ctx: Ctx, personId: string) {
  return ctx.db.selectFrom('contact_messages').where(({ eb, or, selectFrom }) =>
    or([
      eb('person_id', '=', personId),
      eb(
        sql<string>`lower(email)`,
        'in',
        selectFrom('users')
          .select(sql<string>`lower(email)`.as('email'))
          .where('id', '=', personId)
          .where('email_verified', '=', true),
      ),
    ]),
  );
}

/** A person's messages to the operator. */
export const contactPersonal: PersonalPart = {
  name: 'contact',
  async collect(ctx, personId) {
    const rows = await messagesOf(ctx, personId)
      .select(['id', 'name', 'email', 'subject', 'message', 'sent_at', 'state', 'closed_at', 'note'])
      .orderBy('sent_at')
      .orderBy('id')
      .execute();
    return {
      tables: { contact_messages: rows.map(({ note: _note, ...row }) => row) },
      leftOut: rows.some(({ note }) => note !== '')
        ? ['The notes that those who answer made for each other beside your messages.']
        : [],
    };
  },
  async erase(tx, personId) {
    await tx.db
      .deleteFrom('contact_messages')
      .where('id', 'in', messagesOf(tx, personId).select('id'))
      .execute();
    await tx.db
      .updateTable('contact_messages')
      .set({ closed_by: null })
      .where('closed_by', '=', personId)
      .execute();
  },
};
