import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { invalidField } from '#/kernel/errors.ts';
import type { Self } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Conversation, Message } from '../contract.ts';
import type { Side } from '../membership/policies.ts';
import { conversationsById, messageViews, sealed } from '../queries.ts';
import { writeCursor, finder, readCursor } from './rules.ts';

/** Messages scanned per call. */
const perCall = 300;
/** Messages decrypted before yielding to the event loop; the longest take milliseconds each. */
const atOnce = 20;

interface FoundRow {
  id: string;
  conversation_id: string;
  seq: number;
  is_client: boolean;
  from_client: boolean;
  text: string;
  attachments: number;
  sent_at: Date;
}

/** Searches the person's messages, latest first, from an earlier call's cursor. */
export async function searchOwn(
  ctx: Ctx,
  self: Self,
  { words, next }: { words: string; next?: string | undefined },
): Promise<{
  found: { conversation: Conversation; message: Message }[];
  looked: number;
  next: string | null;
}> {
  const rows = await rowsFrom(ctx, self, next);
  const matches = finder(words);
  const hits: FoundRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0 && index % atOnce === 0) await setImmediate();
    if (matches(sealed.text.open(ctx.keyring, row.id, row.text))) hits.push(row);
  }
  const [conversations, messages] = await Promise.all([
    conversationsById(ctx, self, [...new Set(hits.map(({ conversation_id: id }) => id))]),
    viewsOf(ctx, hits),
  ]);
  const last = rows.at(-1);
  return {
    found: hits.flatMap(({ id, conversation_id }) => {
      const [conversation, message] = [conversations.get(conversation_id), messages.get(id)];
      return conversation && message ? [{ conversation, message }] : [];
    }),
    looked: rows.length,
    next: last && rows.length === perCall ? writeCursor({ at: last.sent_at.getTime(), id: last.id }) : null,
  };
}

async function rowsFrom(ctx: Ctx, self: Self, next: string | undefined): Promise<FoundRow[]> {
  const cursor = next === undefined ? null : readCursor(next);
  if (next !== undefined && !cursor) throw invalidField('next', 'bad_format');
  const before = cursor ? sql`(sent_at, id) < (${new Date(cursor.at)}, ${cursor.id})` : sql`true`;
  // Separate selects use their own index.
  const of = (side: Side) => sql`
    (select id, conversation_id, seq, ${side === 'client'}::boolean as is_client, from_client, text, attachments, sent_at
       from messages where ${sql.ref(`${side}_id`)} = ${self} and text is not null and ${before}
      order by sent_at desc, id desc limit ${perCall})`;
  const { rows } = await sql<FoundRow>`
    select id, conversation_id, seq, is_client, from_client, text, attachments, sent_at
      from (${of('client')} union all ${of('provider')}) as own
     order by sent_at desc, id desc limit ${perCall}`.execute(ctx.db);
  return rows;
}

async function viewsOf(ctx: Ctx, rows: readonly FoundRow[]): Promise<Map<string, Message>> {
  const views = await Promise.all(
    (['client', 'provider'] as const).map((side) =>
      messageViews(
        ctx,
        side,
        rows.filter(({ is_client }) => is_client === (side === 'client')),
      ),
    ),
  );
  return new Map(views.flat().map((view) => [view.id, view]));
}
