import { sql } from 'kysely';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { authorize, type Self } from '#/features/access/rules.ts';
import type { Action } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { flagsFor } from '#/features/settings/flags/queries.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { attachTo } from './attachments/commands.ts';
import type { Conversation, Message, OpenInput, MessageText } from './contract.ts';
import { requireMessaging, type Side } from './membership/policies.ts';
import { requireConversation, requireLockedConversation, requirePair } from './policies.ts';
import { conversationWith, messageColumns, messageViews, sealed } from './queries.ts';

declare module '#/platform/context.ts' {
  interface Events {
    /** Due ten minutes after a conversation's first unread message; also after later ones until an email was sent. */
    'messages.sent': { messageId: string };
  }
}

/** Per person; window in seconds. The day's keeps anyone from filling the disk. */
const limits = { minute: { max: 60, seconds: 60 }, day: { max: 3_000, seconds: 86_400 } };
/** New conversations per person and day. */
const opensPerDay = 20;
/** Minutes before an email reports unread messages. */
const unreadMinutes = 10;

/** Sends a message; idempotent by id. Throws `conflict` if another message has this id. */
export async function send(
  ctx: Ctx,
  { conversationId, ...written }: MessageText & { conversationId: string },
  rateLimitFactor: number,
): Promise<Message> {
  authorize(ctx.actor, ['send_messages']);
  const self = await requireMessaging(ctx);
  requireSomething(written);
  return transact(ctx, async (tx) => {
    await countMessage(tx, self, rateLimitFactor);
    return append(tx, self, conversationId, written);
  });
}

/** Starts a conversation, or adds the message to an existing one. */
export async function open(
  ctx: Ctx,
  { conversationId, withId, subject, ...written }: OpenInput,
  rateLimitFactor: number,
): Promise<Conversation> {
  authorize(ctx.actor, ['send_messages']);
  const self = await requireMessaging(ctx);
  requireSomething(written);
  const known = await conversationWith(ctx, self, withId);
  if (!known) {
    const within = await countAttempt(
      ctx.db,
      `conversations:${self}`,
      opensPerDay * rateLimitFactor,
      86_400,
      ctx.now(),
    );
    if (!within) throw new AppError('rate_limited', 'too_many_conversations');
  }
  return transact(ctx, async (tx) => {
    await countMessage(tx, self, rateLimitFactor);
    const id = known?.id ?? (await opened(tx, self, { conversationId, withId, subject }));
    await append(tx, self, id, written);
    return requireConversation(tx, self, id);
  });
}

/** Creates the conversation, or finds it. */
async function opened(
  tx: TxCtx,
  self: Self,
  { conversationId: id, withId, subject }: Pick<OpenInput, 'conversationId' | 'withId' | 'subject'>,
): Promise<string> {
  const pair = await requirePair(tx, self, withId);
  const at = momentOf(tx);
  const stored = await tx.db
    .insertInto('conversations')
    .values({
      id,
      client_id: pair.clientId,
      provider_id: pair.providerId,
      subject: sealed.subject.seal(tx.keyring, id, subject),
      opened_at: at,
      last_at: at,
    })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (stored) {
    await record(tx, 'messages.opened', { kind: 'conversation', id });
    return id;
  }
  const there = await conversationWith(tx, self, withId);
  if (!there) throw new AppError('conflict', 'conversation_id_taken');
  return there.id;
}

/** Locks the conversation: concurrent senders wait. */
async function append(tx: TxCtx, self: Self, conversationId: string, written: MessageText): Promise<Message> {
  const conversation = await requireLockedConversation(tx, self, conversationId);
  const { client_id, provider_id, side, closed } = conversation;
  if (closed) throw new AppError('precondition', 'conversation_closed', { data: { closed } });
  const { messageId: id, text } = written;
  const at = momentOf(tx);
  const seq = conversation.last_seq + 1;
  const inserted = await tx.db
    .insertInto('messages')
    .values({
      id,
      conversation_id: conversationId,
      seq,
      client_id,
      provider_id,
      from_client: side === 'client',
      text: sealed.text.seal(tx.keyring, id, text),
      attachments: written.attachmentIds.length,
      sent_at: at,
    })
    .onConflict((on) => on.column('id').doNothing())
    .returning(messageColumns)
    .executeTakeFirst();
  if (!inserted) return storedMessage(tx, { conversationId, side, id });
  await attachTo(tx, { conversationId, messageId: id, senderId: self, ids: written.attachmentIds });
  const others = side === 'client' ? 'provider_unread' : 'client_unread';
  await tx.db
    // Delete the draft, which is now sent.
    .with('sent_draft', (db) =>
      db
        .deleteFrom('message_drafts')
        .where('conversation_id', '=', conversationId)
        .where('from_client', '=', side === 'client'),
    )
    .updateTable('conversations')
    .set({ last_seq: seq, last_at: at, [others]: conversation[others] + 1 })
    .where('id', '=', conversationId)
    .execute();
  await record(tx, 'messages.sent', { kind: 'message', id });
  const otherId = side === 'client' ? provider_id : client_id;
  if (conversation[others] === 0 || !(await isMailed(tx, otherId))) {
    const startAfter = tx.now().add({ minutes: unreadMinutes });
    await tx.emit(tx, 'messages.sent', { messageId: id }, { startAfter });
  }
  await publish(tx, [`person:${client_id}`, `person:${provider_id}`], {
    type: 'messages.changed',
    id: conversationId,
  });
  const [message] = await messageViews(tx, side, [inserted]);
  return message!;
}

/** Whether one was emailed and nothing read since. */
async function isMailed({ db }: TxCtx, personId: string): Promise<boolean> {
  const row = await db
    .selectFrom('message_mails')
    .select('person_id')
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Throws `conflict` if it's another's. */
async function storedMessage(
  tx: TxCtx,
  { conversationId, side, id }: { conversationId: string; side: Side; id: string },
): Promise<Message> {
  const row = await tx.db
    .selectFrom('messages')
    .select(messageColumns)
    .where('id', '=', id)
    .where('conversation_id', '=', conversationId)
    .where('from_client', '=', side === 'client')
    .executeTakeFirstOrThrow(() => new AppError('conflict', 'message_id_taken'));
  const [message] = await messageViews(tx, side, [row]);
  return message!;
}

/** Moves the read position forward, never back. */
export async function read(
  ctx: Ctx,
  { conversationId, seq }: { conversationId: string; seq: number },
): Promise<Conversation> {
  authorize(ctx.actor, ['send_messages']);
  const self = await requireMessaging(ctx);
  return transact(ctx, async (tx) => {
    const row = await requireLockedConversation(tx, self, conversationId);
    const { side } = row;
    const upTo = Math.min(seq, row.last_seq);
    if (upTo > row[`${side}_read_seq`]) {
      const unread = upTo === row.last_seq ? 0 : await countOthersAfter(tx, conversationId, side, upTo);
      await tx.db
        .updateTable('conversations')
        .set({ [`${side}_read_seq`]: upTo, [`${side}_unread`]: unread })
        .where('id', '=', conversationId)
        .execute();
      await tx.db.deleteFrom('message_mails').where('person_id', '=', self).execute();
      await publish(tx, [`person:${row.client_id}`, `person:${row.provider_id}`], {
        type: 'messages.read',
        id: conversationId,
      });
    }
    return requireConversation(tx, self, conversationId);
  });
}

async function countOthersAfter(tx: TxCtx, conversationId: string, side: Side, seq: number): Promise<number> {
  const { count } = await tx.db
    .selectFrom('messages')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('conversation_id', '=', conversationId)
    .where('seq', '>', seq)
    .where('from_client', '=', side === 'provider')
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Claims the unread-message email due for a message. Returns null if everything is read, an email already went out
 * since the last read, or messaging is off for the recipient or they’re suspended. Messages unread for less than ten minutes are
 * rescheduled.
 */
export async function claimUnreadNotice(tx: TxCtx, messageId: string): Promise<{ personId: string } | null> {
  const { db } = tx;
  const row = await db
    .selectFrom('messages')
    .innerJoin('conversations as c', 'c.id', 'messages.conversation_id')
    .select(['c.id', 'c.client_id', 'c.provider_id', 'messages.from_client'])
    .select(['c.client_unread', 'c.provider_unread', 'c.client_read_seq', 'c.provider_read_seq'])
    .where('messages.id', '=', messageId)
    // A concurrent read finishes first.
    .forNoKeyUpdate(['c'])
    .executeTakeFirst();
  if (!row) return null;
  const side = row.from_client ? 'provider' : 'client';
  if (row[`${side}_unread`] === 0) return null;
  const oldest = await db
    .selectFrom('messages')
    .select(['id', 'sent_at'])
    .where('conversation_id', '=', row.id)
    .where('seq', '>', row[`${side}_read_seq`])
    .where('from_client', '=', row.from_client)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirstOrThrow();
  const due = Temporal.Instant.fromEpochMilliseconds(oldest.sent_at.getTime()).add({
    minutes: unreadMinutes,
  });
  // If the oldest unread message is already due, its own event has fired.
  if (oldest.id !== messageId && Temporal.Instant.compare(due, tx.now()) > 0) {
    await tx.emit(tx, 'messages.sent', { messageId: oldest.id }, { startAfter: due });
    return null;
  }
  const personId = row[`${side}_id`];
  const { role, suspended_at } = await db
    .selectFrom('profiles')
    .select(['role', 'suspended_at'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow();
  if (suspended_at !== null || !(await flagsFor(tx, { id: personId, role })).includes('direct_messaging'))
    return null;
  const taken = await db
    .insertInto('message_mails')
    .values({ person_id: personId, mailed_at: new Date(tx.now().epochMilliseconds) })
    .onConflict((on) => on.column('person_id').doNothing())
    .returning('person_id')
    .executeTakeFirst();
  return taken ? { personId } : null;
}

function requireSomething({ text, attachmentIds }: MessageText): void {
  if (text === '' && attachmentIds.length === 0) throw invalidField('text', 'required');
}

/** Counts within the write transaction: no extra commit, and rollbacks don't count. */
async function countMessage(ctx: TxCtx, self: Self, rateLimitFactor: number): Promise<void> {
  for (const [span, { max, seconds }] of Object.entries(limits)) {
    if (!(await countAttempt(ctx.db, `messages-${span}:${self}`, max * rateLimitFactor, seconds, ctx.now())))
      throw new AppError('rate_limited', 'too_many_messages');
  }
}

function momentOf(ctx: Ctx): Date {
  return new Date(ctx.now().epochMilliseconds);
}

/** Logs neither text nor recipient. */
async function record(tx: TxCtx, action: Action, subject: { kind: string; id: string }): Promise<void> {
  await recordDone(tx, { action, subject });
}
