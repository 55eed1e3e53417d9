import { setImmediate } from 'node:timers/promises';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { rowsOf, type PersonalPart } from '#/platform/personal.ts';
import type { Side } from './membership/policies.ts';
import { sealed } from './queries.ts';
import { isoOf } from '#/kernel/iso.ts';
import { sealedName } from './attachments/queries.ts';
import { sql } from 'kysely';

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
      message_mails: await rowsOf(ctx.db, 'message_mails', 'person_id', personId),
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
  // The first message's author wrote the subject.
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

/** Erasure deletes sent files, because personal data inside can't be redacted. */
export const attachmentsPersonal: PersonalPart = {
  name: 'attachments',
  async collect({ db, keyring }, personId) {
    const rows = await db
      .selectFrom('attachments')
      .innerJoin('files', 'files.id', 'attachments.id')
      .selectAll('attachments')
      .select(['content_type', 'size'])
      .where('uploaded_by', '=', personId)
      .orderBy('uploaded_at')
      .orderBy('attachments.id')
      .execute();
    const named = rows.map(({ name, uploaded_at, ...row }) => ({
      ...row,
      name: sealedName.open(keyring, row.id, name),
      uploaded_at: isoOf(uploaded_at),
    }));
    return { tables: { attachments: named }, files: named.map(({ id, name }) => ({ id, name })) };
  },
  async erase(tx, personId) {
    const { numDeletedRows } = await tx.db
      .deleteFrom('attachments')
      .where('uploaded_by', '=', personId)
      .executeTakeFirst();
    if (numDeletedRows > 0n) await tx.emit(tx, 'files.removed', { reason: 'removed' });
  },
};

/**
 * Emergency accesses to a person's conversations. Erasing either member deletes the reason, which describes both; the
 * access and its administrator stay on record.
 */
export const emergencyPersonal: PersonalPart = {
  name: 'emergency',
  async collect({ db }, personId) {
    const rows = await db
      .selectFrom('emergency_accesses as e')
      .innerJoin('conversations as c', 'c.id', 'e.conversation_id')
      .select(['e.id', 'e.conversation_id', 'e.opened_at', 'e.ends_at'])
      .where(({ or, eb }) => or([eb('c.client_id', '=', personId), eb('c.provider_id', '=', personId)]))
      .orderBy('e.opened_at')
      .execute();
    return {
      tables: {
        emergency_accesses: rows.map(({ opened_at, ends_at, ...row }) => ({
          ...row,
          opened_at: isoOf(opened_at),
          ends_at: isoOf(ends_at),
        })),
      },
    };
  },
  async erase(tx, personId) {
    await sql`
      update emergency_accesses e set reason = null from conversations c
       where c.id = e.conversation_id and ${personId}::uuid in (c.client_id, c.provider_id)`.execute(tx.db);
  },
};
