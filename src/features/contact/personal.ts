import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { decryptNote, sealed, writtenColumns, decryptMessage } from './queries.ts';

/** Finds messages by account or verified address. The union uses both indexes. */
function messagesOf({ db }: Ctx, personId: string) {
  return db
    .selectFrom('contact_messages')
    .select('id')
    .where('person_id', '=', personId)
    .union(
      db
        .selectFrom('users')
        .innerJoin('contact_messages', (join) =>
          join.on(sql`lower(contact_messages.email)`, '=', sql`lower(users.email)`),
        )
        .select('contact_messages.id')
        .where('users.id', '=', personId)
        .where('users.email_verified', '=', true),
    );
}

export const contactPersonal: PersonalPart = {
  name: 'contact',
  async collect(ctx, personId) {
    const answers = await ctx.db
      .selectFrom('contact_answers')
      .where('message_id', 'in', messagesOf(ctx, personId))
      .where('mailed_at', 'is not', null)
      .selectAll()
      .orderBy('written_at')
      .orderBy('id')
      .execute();
    const rows = await ctx.db
      .selectFrom('contact_messages')
      .where('id', 'in', messagesOf(ctx, personId))
      .select([...writtenColumns, 'sent_at', 'state', 'closed_at', 'note', 'sealed_note'])
      .orderBy('sent_at')
      .orderBy('id')
      .execute();
    return {
      tables: {
        contact_messages: rows.map((row) => ({
          id: row.id,
          ...decryptMessage(ctx, row),
          sent_at: row.sent_at,
          state: row.state,
          closed_at: row.closed_at,
        })),
        contact_answers: answers.map(
          ({ id, message_id, sealed_text, written_at, state_before, mailed_at }) => ({
            id,
            message_id,
            text: sealed.answer.open(ctx.keyring, id, sealed_text),
            written_at,
            state_before,
            mailed_at,
          }),
        ),
      },
      leftOut: rows.some((row) => decryptNote(ctx, row) !== '') ? [m.contact_left_out_notes()] : [],
    };
  },
  async erase(tx, personId) {
    const answers = await tx.db
      .deleteFrom('contact_answers')
      .where('message_id', 'in', messagesOf(tx, personId))
      .returning('id')
      .execute();
    const removed = await tx.db
      .deleteFrom('contact_messages')
      .where('id', 'in', messagesOf(tx, personId))
      .returning('id')
      .execute();
    // Delete queued emails too: they may go to any typed address.
    const keys = [
      ...removed.flatMap(({ id }) => [`${id}:support`, `${id}:receipt`]),
      ...answers.map(({ id }) => `${id}:answer`),
    ];
    if (keys.length > 0) await tx.db.deleteFrom('mails').where('key', 'in', keys).execute();
    await tx.db
      .updateTable('contact_messages')
      .set({ closed_by: null })
      .where('closed_by', '=', personId)
      .execute();
    await tx.db
      .updateTable('contact_answers')
      .set({ author_id: null })
      .where('author_id', '=', personId)
      .execute();
  },
};
