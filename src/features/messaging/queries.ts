import { sql, type RawBuilder } from 'kysely';
import { isProvider, type Role } from '#/kernel/actor.ts';
import { isoOf } from '#/kernel/iso.ts';
import type { Self } from '#/features/access/rules.ts';
import { isClaimed, photoPath } from '#/features/accounts/queries.ts';
import { offers } from '#/features/settings/flags/queries.ts';
import type { Ctx } from '#/platform/context.ts';
import { hideFromPlanner } from '#/platform/db/hide-from-planner.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';
import { attachmentsOf } from './attachments/queries.ts';
import type { Conversation, Counterpart, Message } from './contract.ts';
import { roleOf, type Member, type Side } from './membership/policies.ts';
import { closedReason, mayOpen, previewOf, type Pair } from './rules.ts';

/** Messaging's encrypted columns. Ciphertexts are bound to the names declared here. */
export const sealed = {
  subject: sealedColumn('conversations', 'subject'),
  text: sealedColumn('messages', 'text'),
  draft: sealedColumn('message_drafts', 'text'),
} as const;

interface Page {
  beforeAt?: string | undefined;
  beforeId?: string | undefined;
  limit: number;
}

interface OtherRow {
  other_id: string;
  full_name: string;
  photo_id: string | null;
  erased_at: Date | null;
  title: string | null;
  kind: 'doctor' | 'pastor' | null;
}

interface ConversationRow extends OtherRow {
  id: string;
  is_client: boolean;
  subject: string | null;
  last_seq: number;
  read_seq: number;
  read_by_other: number;
  unread: number;
  other_role: Role;
  listed: boolean;
  served: boolean;
  offered: boolean;
  last_id: string;
  last_from_client: boolean;
  last_text: string | null;
  last_attachments: number;
  last_sent_at: Date;
}

/**
 * Whether the row's provider has messaging on and can sign in to read. The actor's own flag is checked by
 * `requireMessaging`.
 */
export const offered = sql<boolean>`
  (${offers('direct_messaging', { id: sql.ref('providers.id'), kind: sql.ref('providers.kind') })}
   and exists (select from profiles where id = providers.id and suspended_at is null))`;

async function conversationsAmong(ctx: Ctx, self: Self, ids: RawBuilder<unknown>): Promise<Conversation[]> {
  const { rows } = await sql<ConversationRow>`
    select c.id, own.is_client, c.subject, c.last_seq,
      case when own.is_client then c.client_read_seq else c.provider_read_seq end as read_seq,
      case when own.is_client then c.provider_read_seq else c.client_read_seq end as read_by_other,
      case when own.is_client then c.client_unread else c.provider_unread end as unread,
      other.id as other_id, other.full_name, other.photo_id, other.erased_at, other.role as other_role,
      case when own.is_client then providers.title end as title,
      case when own.is_client then providers.kind end as kind,
      providers.listed, ${offered} as offered,
      exists (select from appointments a where a.provider_id = c.provider_id and a.client_id = c.client_id) as served,
      last.id as last_id, last.from_client as last_from_client, last.text as last_text,
      last.attachments as last_attachments, last.sent_at as last_sent_at
      from conversations c
      cross join lateral (select c.client_id = ${hideFromPlanner(self, 'uuid')} as is_client) as own
      join profiles other on other.id = case when own.is_client then c.provider_id else c.client_id end
      join providers on providers.id = c.provider_id
      join messages last on last.conversation_id = c.id and last.seq = c.last_seq
     where c.id in (${ids})
       and (c.client_id = ${hideFromPlanner(self, 'uuid')} or c.provider_id = ${hideFromPlanner(self, 'uuid')})
     order by c.last_at desc, c.id desc`.execute(ctx.db);
  return rows.map((row) => conversationView(ctx, row));
}

function conversationView(ctx: Ctx, row: ConversationRow): Conversation {
  const side: Side = row.is_client ? 'client' : 'provider';
  const { keyring } = ctx;
  return {
    id: row.id,
    subject: sealed.subject.openIfAny(keyring, row.id, row.subject) ?? '',
    with: counterpartView(row),
    last: {
      mine: row.last_from_client === row.is_client,
      text: previewOf(sealed.text.openIfAny(keyring, row.last_id, row.last_text) ?? ''),
      attachments: row.last_attachments,
      sentAt: isoOf(row.last_sent_at),
    },
    lastSeq: row.last_seq,
    unread: row.unread,
    readSeq: row.read_seq,
    readByOther: row.read_by_other,
    closed: closedReason({
      side,
      providerRole: row.is_client ? row.other_role : roleOf(ctx),
      otherErased: row.erased_at !== null,
      listed: row.listed,
      served: row.served,
      offered: row.offered,
    }),
  };
}

function counterpartView(row: OtherRow): Counterpart {
  const erased = row.erased_at !== null;
  return {
    id: row.other_id,
    name: row.full_name,
    title: erased ? null : row.title,
    kind: erased ? null : row.kind,
    photoUrl: photoPath(row.photo_id),
    erased,
  };
}

/** A page of conversations, latest message first. */
export async function conversationsOf(
  ctx: Ctx,
  self: Self,
  page: Page,
): Promise<{ conversations: Conversation[]; more: boolean }> {
  const { beforeAt, beforeId, limit } = page;
  const before =
    beforeAt === undefined || beforeId === undefined
      ? sql`true`
      : sql`(last_at, id) < (${new Date(beforeAt)}, ${beforeId})`;
  // Separate selects use their own index and read only the rows shown.
  const side = (column: string) => sql`
    (select id, last_at from conversations where ${sql.ref(column)} = ${hideFromPlanner(self, 'uuid')} and last_seq > 0 and ${before}
      order by last_at desc, id desc limit ${hideFromPlanner(limit + 1, 'bigint')})`;
  const conversations = await conversationsAmong(
    ctx,
    self,
    sql`select id from (${side('client_id')} union all ${side('provider_id')}) as own
         order by last_at desc, id desc limit ${hideFromPlanner(limit + 1, 'bigint')}`,
  );
  return { conversations: conversations.slice(0, limit), more: conversations.length > limit };
}

export async function conversationsById(
  ctx: Ctx,
  self: Self,
  ids: readonly string[],
): Promise<Map<string, Conversation>> {
  if (ids.length === 0) return new Map();
  const found = await conversationsAmong(ctx, self, sql`select unnest(${[...ids]}::uuid[])`);
  return new Map(found.map((one) => [one.id, one]));
}

export async function unreadOf(ctx: Ctx, self: Self): Promise<{ messages: number; conversations: number }> {
  const side = (name: Side) =>
    sql`select ${sql.ref(`${name}_unread`)} as unread from conversations
         where ${sql.ref(`${name}_id`)} = ${self} and ${sql.ref(`${name}_unread`)} > 0`;
  const { rows } = await sql<{ messages: number; conversations: number }>`
    select coalesce(sum(unread), 0)::integer as messages, count(*)::integer as conversations
      from (${side('client')} union all ${side('provider')}) as own`.execute(ctx.db);
  return rows[0]!;
}

/** Returns the pair for a first message, or null if the actor can't start a conversation with them. */
export async function pairWith(
  ctx: Ctx,
  self: Self,
  otherId: string,
): Promise<(Pair & { clientId: string; providerId: string; person: Counterpart }) | null> {
  const side: Side = isProvider(roleOf(ctx)) ? 'provider' : 'client';
  const [clientId, providerId] = side === 'client' ? [self, otherId] : [otherId, self];
  const { rows } = await sql<
    OtherRow & { role: Role; listed: boolean | null; served: boolean; offered: boolean }
  >`
    select p.id as other_id, p.full_name, p.photo_id, p.erased_at, p.role, providers.title, providers.kind, providers.listed,
      ${side === 'client' ? offered : sql`true`} as offered,
      exists (select from appointments a where a.provider_id = ${providerId} and a.client_id = ${clientId}) as served
      from profiles p left join providers on providers.id = p.id
     where p.id = ${otherId} and p.id <> ${self} and ${isClaimed()}`.execute(ctx.db);
  const [row] = rows;
  if (!row || (side === 'client' && row.listed === null)) return null;
  const pair: Pair = {
    side,
    providerRole: side === 'client' ? row.role : roleOf(ctx),
    otherErased: row.erased_at !== null,
    listed: row.listed ?? false,
    served: row.served,
    offered: row.offered,
  };
  if (!mayOpen(pair, roleOf(ctx))) return null;
  const person = counterpartView(side === 'client' ? row : { ...row, title: null, kind: null });
  return { ...pair, clientId, providerId, person };
}

export async function conversationWith(ctx: Ctx, self: Self, otherId: string): Promise<Conversation | null> {
  const found = await conversationsAmong(
    ctx,
    self,
    sql`select id from conversations
         where (client_id = ${self} and provider_id = ${otherId}) or (client_id = ${otherId} and provider_id = ${self})`,
  );
  return found[0] ?? null;
}

export const messageColumns = ['id', 'seq', 'from_client', 'text', 'attachments', 'sent_at'] as const;

interface MessageRow {
  id: string;
  seq: number;
  from_client: boolean;
  text: string | null;
  attachments: number;
  sent_at: Date;
}

export async function messageViews(ctx: Ctx, side: Side, rows: readonly MessageRow[]): Promise<Message[]> {
  const bringing = rows.filter(({ attachments }) => attachments > 0);
  const files = await attachmentsOf(
    ctx,
    bringing.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    mine: row.from_client === (side === 'client'),
    text: sealed.text.openIfAny(ctx.keyring, row.id, row.text) ?? '',
    attachments: files.get(row.id) ?? [],
    sentAt: isoOf(row.sent_at),
  }));
}

/** Returns messages in ascending order: after `after`, else before `before`, else the latest. */
export async function messagesOf(
  ctx: Ctx,
  { conversationId, side }: Member,
  { after, before, limit }: { after?: number | undefined; before?: number | undefined; limit: number },
): Promise<{ messages: Message[]; more: boolean }> {
  const all = ctx.db
    .selectFrom('messages')
    .select(messageColumns)
    .where('conversation_id', '=', conversationId)
    .limit(limit + 1);
  const rows =
    after === undefined
      ? await all
          .$if(before !== undefined, (older) => older.where('seq', '<', before!))
          .orderBy('seq', 'desc')
          .execute()
      : await all.where('seq', '>', after).orderBy('seq').execute();
  const shown = rows.slice(0, limit);
  return {
    messages: await messageViews(ctx, side, after === undefined ? shown.toReversed() : shown),
    more: rows.length > limit,
  };
}

export async function draftOf(ctx: Ctx, { conversationId, side }: Member): Promise<{ text: string }> {
  const row = await ctx.db
    .selectFrom('message_drafts')
    .select(['id', 'text'])
    .where('conversation_id', '=', conversationId)
    .where('from_client', '=', side === 'client')
    .executeTakeFirst();
  return { text: row ? sealed.draft.open(ctx.keyring, row.id, row.text) : '' };
}
