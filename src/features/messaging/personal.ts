import { setImmediate } from 'node:timers/promises';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { PersonalPart } from '#/platform/personal.ts';
import type { Side } from './membership/policies.ts';
import { sealed } from './queries.ts';

/**
 * A person's conversations, including received messages. Erasure deletes texts they wrote; received texts and every
 * message's position stay. Specialists' exports leave out client IDs.
 */
export const messagingPersonal: PersonalPart = {
  name: 'messaging',
  collect: async (ctx, personId) => ({
    tables: {
      conversations: await conversations(ctx, personId),
      messages: await messages(ctx, personId),
      message_drafts: await drafts(ctx, personId),
      message_mails: await ctx.db
        .selectFrom('message_mails')
        .selectAll()
        .where('person_id', '=', personId)
        .execute(),
    },
  }),
  async erase(tx, personId) {
    for (const side of ['client', 'provider'] as const) await eraseSide(tx, personId, side);
    await tx.db.deleteFrom('message_mails').where('person_id', '=', personId).execute();
  },
};

async function conversations({ db, keyring }: Ctx, personId: string) {
  const rows = await db
    .selectFrom('conversations')
    .selectAll()
    .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('provider_id', '=', personId)]))
    .orderBy('opened_at')
    .orderBy('id')
    .execute();
  return rows.map((row) =>
    withoutClient(personId, { ...row, subject: sealed.subject.openIfAny(keyring, row.id, row.subject) }),
  );
}

/** Messages decrypted before yielding to the event loop. */
const atOnce = 200;

async function messages({ db, keyring }: Ctx, personId: string) {
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where(({ or, eb }) => or([eb('client_id', '=', personId), eb('provider_id', '=', personId)]))
    .orderBy('conversation_id')
    .orderBy('seq')
    .execute();
  const opened: Record<string, unknown>[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    opened.push(withoutClient(personId, { ...row, text: sealed.text.openIfAny(keyring, row.id, row.text) }));
  }
  return opened;
}

async function drafts({ db, keyring }: Ctx, personId: string) {
  const rows = await db
    .selectFrom('message_drafts')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .selectAll('message_drafts')
    .where(({ or, and, eb }) =>
      or([
        and([eb('client_id', '=', personId), eb('from_client', '=', true)]),
        and([eb('provider_id', '=', personId), eb('from_client', '=', false)]),
      ]),
    )
    .orderBy('changed_at')
    .execute();
  return rows.map((row) => ({ ...row, text: sealed.draft.open(keyring, row.id, row.text) }));
}

function withoutClient<Row extends { client_id: string }>(personId: string, row: Row) {
  if (row.client_id === personId) return row;
  const { client_id: _theirs, ...rest } = row;
  return rest;
}

async function eraseSide({ db }: TxCtx, personId: string, side: Side): Promise<void> {
  const other: Side = side === 'client' ? 'provider' : 'client';
  // The other member's account is deleted too, so drop the conversation.
  await db
    .deleteFrom('conversations')
    .where(`${side}_id`, '=', personId)
    .where(
      `${other}_id`,
      'in',
      db.selectFrom('profiles').select('id').where('erased_at', 'is not', null).where('id', '<>', personId),
    )
    .execute();
  await db
    .deleteFrom('message_drafts')
    .where('from_client', '=', side === 'client')
    .where(
      'conversation_id',
      'in',
      db.selectFrom('conversations').select('id').where(`${side}_id`, '=', personId),
    )
    .execute();
  // The subject belongs to the author of the first message.
  await db
    .updateTable('conversations')
    .set({ subject: null })
    .where(`${side}_id`, '=', personId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('messages')
          .select('messages.id')
          .whereRef('conversation_id', '=', 'conversations.id')
          .where('seq', '=', 1)
          .where('from_client', '=', side === 'client'),
      ),
    )
    .execute();
  await db
    .updateTable('conversations')
    .set({ [`${side}_unread`]: 0 })
    .where(`${side}_id`, '=', personId)
    .execute();
  await db
    .updateTable('messages')
    .set({ text: null, attachments: 0 })
    .where(`${side}_id`, '=', personId)
    .where('from_client', '=', side === 'client')
    .execute();
}
