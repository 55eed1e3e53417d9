import { setImmediate } from 'node:timers/promises';
import { sql, type Selectable } from 'kysely';
import { invalidField } from '#/kernel/errors.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import { finder } from '#/features/messaging/search/rules.ts';
import type { ContactAnswer, ContactState, ListedMessage, OpenedMessage } from './contract.ts';
import { excerptOf, shortestSearch } from './rules.ts';
import type { ContactMessagesTable } from './tables.ts';

/** Encrypted columns, with each one's binding. */
export const sealed = {
  name: sealedColumn('contact_messages', 'sealed_name'),
  subject: sealedColumn('contact_messages', 'sealed_subject'),
  message: sealedColumn('contact_messages', 'sealed_message'),
  note: sealedColumn('contact_messages', 'sealed_note'),
  answer: sealedColumn('contact_answers', 'sealed_text'),
} as const;

export const writtenColumns = [
  'id',
  'name',
  'sealed_name',
  'email',
  'subject',
  'sealed_subject',
  'message',
  'sealed_message',
] as const;

type WrittenRow = Pick<Selectable<ContactMessagesTable>, (typeof writtenColumns)[number]>;

export function decryptMessage({ keyring }: Pick<Ctx, 'keyring'>, row: WrittenRow) {
  const { id, email } = row;
  return {
    name: sealed.name.openOrClear(keyring, id, row.sealed_name, row.name) ?? '',
    email,
    subject: sealed.subject.openOrClear(keyring, id, row.sealed_subject, row.subject) ?? '',
    message: sealed.message.openOrClear(keyring, id, row.sealed_message, row.message) ?? '',
  };
}

export function decryptNote(
  { keyring }: Pick<Ctx, 'keyring'>,
  { id, note, sealed_note }: Pick<Selectable<ContactMessagesTable>, 'id' | 'note' | 'sealed_note'>,
): string {
  return sealed.note.openOrClear(keyring, id, sealed_note, note) ?? '';
}

/** Messages decrypted per search, and rows per query. */
const perCall = 1_000;
const batch = 200;
/** Messages decrypted before yielding to the event loop. */
const atOnce = 20;

interface InboxQuery {
  state: ContactState;
  search: string;
  lastSentAt?: string | undefined;
  lastId?: string | undefined;
  limit: number;
}

type Cursor = { lastSentAt: string; lastId: string };

/** Lists messages newest first. Text is encrypted: a search decrypts messages one by one, then returns a cursor. */
export async function inbox(
  ctx: Ctx,
  query: InboxQuery,
): Promise<{ messages: ListedMessage[]; next: Cursor | null; open: number }> {
  const { lastSentAt, lastId } = query;
  if ((lastSentAt === undefined) !== (lastId === undefined)) {
    throw invalidField(lastId === undefined ? 'lastId' : 'lastSentAt', 'required');
  }
  const [page, open] = await Promise.all([pageOf(ctx, query), openMessages(ctx)]);
  return { ...page, open };
}

async function pageOf(
  ctx: Ctx,
  { state, search, lastSentAt, lastId, limit }: InboxQuery,
): Promise<{ messages: ListedMessage[]; next: Cursor | null }> {
  const searches = search.length >= shortestSearch;
  const matches = searches ? finder(search) : () => true;
  const size = searches ? batch : limit + 1;
  const messages: ListedMessage[] = [];
  let cursor = lastSentAt === undefined ? null : { lastSentAt, lastId: lastId! };
  let looked = 0;
  for (;;) {
    const rows = await rowsAfter(ctx, state, cursor, size);
    for (const row of rows) {
      if (searches && ++looked % atOnce === 0) await setImmediate();
      const { name, email, subject, message } = decryptMessage(ctx, row);
      const sentAt = isoOf(row.sent_at);
      if (matches(`${name}\n${email}\n${subject}\n${message}`)) {
        // An extra match proves there's a next page.
        if (messages.length === limit) return { messages, next: cursorOf(messages.at(-1)!) };
        messages.push({ id: row.id, name, subject, excerpt: excerptOf(message), sentAt, state });
      }
      cursor = { lastSentAt: sentAt, lastId: row.id };
    }
    if (rows.length < size) return { messages, next: null };
    if (looked >= perCall) return { messages, next: cursor };
  }
}

function cursorOf({ sentAt, id }: ListedMessage): Cursor {
  return { lastSentAt: sentAt, lastId: id };
}

async function rowsAfter({ db }: Ctx, state: ContactState, cursor: Cursor | null, size: number) {
  return db
    .selectFrom('contact_messages')
    .select([...writtenColumns, 'sent_at'])
    .where('state', '=', state)
    .$if(cursor !== null, (rows) =>
      rows.where(
        sql<boolean>`(sent_at, id) < (${new Date(cursor!.lastSentAt)}::timestamptz, ${cursor!.lastId}::uuid)`,
      ),
    )
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .execute();
}

export async function openMessages(ctx: Ctx): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('contact_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns a message; null for unknown ids. */
export async function openedMessage(ctx: Ctx, messageId: string): Promise<OpenedMessage | null> {
  const row = await ctx.db
    .selectFrom('contact_messages as message')
    .leftJoin('profiles as closer', 'closer.id', 'message.closed_by')
    .selectAll('message')
    .select('closer.full_name as closer')
    .where('message.id', '=', messageId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    ...decryptMessage(ctx, row),
    state: row.state,
    note: decryptNote(ctx, row),
    sentAt: isoOf(row.sent_at),
    personId: row.person_id,
    answers: await answersTo(ctx, messageId),
    closed: row.closed_at && { at: isoOf(row.closed_at), by: row.closer },
  };
}

async function answersTo(ctx: Ctx, messageId: string): Promise<ContactAnswer[]> {
  const rows = await ctx.db
    .selectFrom('contact_answers as answer')
    .leftJoin('profiles as author', 'author.id', 'answer.author_id')
    .selectAll('answer')
    .select('author.full_name')
    .where('message_id', '=', messageId)
    .orderBy('written_at')
    .orderBy('answer.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    text: sealed.answer.open(ctx.keyring, row.id, row.sealed_text),
    writtenAt: isoOf(row.written_at),
    author: row.author_id && row.full_name ? { id: row.author_id, name: row.full_name } : null,
    mailedAt: row.mailed_at && isoOf(row.mailed_at),
  }));
}
