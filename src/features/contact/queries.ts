import { sql } from 'kysely';
import { AppError, invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { anywhere } from '#/platform/db/like.ts';
import type { ContactState, ListedMessage, OpenedMessage } from './contract.ts';
import { excerptLength } from './rules.ts';

/** What is searched: as the index has it. */
const searched = sql<string>`lower(name || ' ' || email || ' ' || subject || ' ' || message)`;

/** A page of the inbox, the newest first, and how many messages are open in all. */
export async function inbox(
  ctx: Ctx,
  {
    state,
    search,
    lastSentAt,
    lastId,
    limit,
  }: {
    state: ContactState;
    search: string;
    lastSentAt?: string | undefined;
    lastId?: string | undefined;
    limit: number;
  },
): Promise<{ messages: ListedMessage[]; more: boolean; open: number }> {
  let query = ctx.db
    .selectFrom('contact_messages')
    .select(['id', 'name', 'subject', 'sent_at', 'state'])
    .select(sql<string>`left(message, ${excerptLength})`.as('excerpt'))
    .where('state', '=', state)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  // What is shorter than the index's three letters would be looked for in every message.
  if (search.length >= 3) query = query.where(searched, 'like', anywhere(search.toLowerCase()));
  if ((lastSentAt === undefined) !== (lastId === undefined)) {
    throw invalidField(lastId === undefined ? 'lastId' : 'lastSentAt', 'required');
  }
  if (lastSentAt !== undefined) {
    query = query.where(sql<boolean>`(sent_at, id) < (${lastSentAt}::timestamptz, ${lastId!}::uuid)`);
  }
  const [rows, open] = await Promise.all([query.execute(), openMessages(ctx)]);
  const messages = rows.slice(0, limit).map(({ sent_at, ...row }) => ({ ...row, sentAt: isoOf(sent_at) }));
  return { messages, more: rows.length > limit, open };
}

async function openMessages(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('contact_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return count;
}

/** A message with its note, for those who answer. */
export async function openedMessage(ctx: Ctx, messageId: string): Promise<OpenedMessage> {
  const row = await ctx.db
    .selectFrom('contact_messages as message')
    .leftJoin('profiles as closer', 'closer.id', 'message.closed_by')
    .selectAll('message')
    .select('closer.full_name as closer')
    .where('message.id', '=', messageId)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'contact_message');
  const { id, name, email, subject, message, state, note } = row;
  return {
    id,
    name,
    email,
    subject,
    message,
    state,
    note,
    sentAt: isoOf(row.sent_at),
    fromAccount: row.person_id !== null,
    closed: row.closed_at && { at: isoOf(row.closed_at), by: row.closer },
  };
}
