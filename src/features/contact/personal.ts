import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import { m } from '#/texts/messages.js';
import { baseLocale } from '#/texts/runtime.js';
import { noteIn, writtenColumns, writtenIn } from './queries.ts';

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
          ...writtenIn(ctx, row),
          sent_at: row.sent_at,
          state: row.state,
          closed_at: row.closed_at,
        })),
      },
      leftOut: rows.some((row) => noteIn(ctx, row) !== '')
        ? [m.contact_left_out_notes({}, { locale: baseLocale })]
        : [],
    };
  },
  async erase(tx, personId) {
    const removed = await tx.db
      .deleteFrom('contact_messages')
      .where('id', 'in', messagesOf(tx, personId))
      .returning('id')
      .execute();
    // Delete queued emails too: they may go to any typed address.
    const keys = removed.flatMap(({ id }) => [`${id}:support`, `${id}:receipt`]);
    if (keys.length > 0) await tx.db.deleteFrom('mails').where('key', 'in', keys).execute();
    await tx.db
      .updateTable('contact_messages')
      .set({ closed_by: null })
      .where('closed_by', '=', personId)
      .execute();
  },
};
