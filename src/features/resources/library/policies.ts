import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { can, type Self, selfOf } from '#/features/access/rules.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { AttachedFile, AuthorAction, ResourceDetail } from './contract.ts';
import { attachedFile, resourceDetail } from './queries.ts';
import { authorActionsOf } from './rules.ts';
import { resourceColumns, type Resource } from './tables.ts';

/** Returns one published resource. Throws `not_found` (`resource`) for any other. */
export async function requirePublished(ctx: Ctx, id: string): Promise<ResourceDetail> {
  const found = await resourceDetail(ctx, id);
  if (!found) throw new AppError('not_found', 'resource');
  return found;
}

/** Locks a published resource for readers' counts and marks. Throws `not_found` (`resource`) for any other. */
export async function requireLockedPublished(
  tx: TxCtx,
  id: string,
): Promise<Pick<Resource, 'id' | 'created_by'>> {
  return tx.db
    .selectFrom('resources')
    .select(['id', 'created_by'])
    .where('id', '=', id)
    .where('status', '=', 'published')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'resource'));
}

/**
 * Returns a resource whose content the person can read: they got it while published, wrote it, or moderate it. Throws
 * `not_found` (`resource`), or `precondition` (`not_got`) before "Get".
 */
export async function requireReadable(ctx: Ctx, self: Self, id: string): Promise<Resource> {
  const row = await ctx.db
    .selectFrom('resources')
    .select(resourceColumns)
    .select(isInLibraryOf(self).as('got'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'resource'));
  const decides = ctx.actor.kind === 'person' && can(ctx.actor.role, 'moderate_content');
  const insider = row.created_by === self || (decides && row.status === 'submitted');
  if (!insider && row.status !== 'published') throw new AppError('not_found', 'resource');
  if (!insider && !row.got) throw new AppError('precondition', 'not_got');
  return row;
}

function isInLibraryOf(self: Self) {
  return sql<boolean>`exists (select from resource_gets
    where resource_gets.resource_id = resources.id and resource_gets.person_id = ${self})`;
}

/** Throws `not_found` (`file`) if the resource has lost its file. */
export function requireAttachedFile(row: Resource): AttachedFile & { id: string } {
  const file = attachedFile(row);
  if (!file || !row.file_id) throw new AppError('not_found', 'file');
  return { ...file, id: row.file_id };
}

/** Returns the author's own resource in any state. Throws `not_found` (`resource`) for any other. */
export async function requireOwnResource(ctx: Ctx, self: Self, id: string): Promise<Resource> {
  return ctx.db
    .selectFrom('resources')
    .select(resourceColumns)
    .where('id', '=', id)
    .where('created_by', '=', self)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'resource'));
}

/**
 * Locks the author's own resource. Throws `not_found` (`resource`) for any other, conflict `wrong_state` if its status
 * doesn't allow `action`.
 */
export async function requireOwnFor(tx: TxCtx, action: AuthorAction, id: string): Promise<Resource> {
  const self = selfOf(tx);
  const row = await tx.db
    .selectFrom('resources')
    .select(resourceColumns)
    .where('id', '=', id)
    .where('created_by', '=', self)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'resource'));
  if (!authorActionsOf(row.status, true).includes(action)) throw new AppError('conflict', 'wrong_state');
  return row;
}

/** Locks a resource that a moderator decides on. Throws `not_found` (`resource`) in any other state. */
export async function requireModerated(
  tx: TxCtx,
  id: string,
  status: 'submitted' | 'published',
): Promise<Resource> {
  return tx.db
    .selectFrom('resources')
    .select(resourceColumns)
    .where('id', '=', id)
    .where('status', '=', status)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'resource'));
}

/** Returns the titles related to an active service. Throws `not_found` (`service`) for any other. */
export async function requireRelatedTitles(ctx: Ctx, serviceId: string): Promise<string[]> {
  const service = await ctx.db
    .selectFrom('services')
    .select('related_resources')
    .where('id', '=', serviceId)
    .where('active', '=', true)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'service'));
  return service.related_resources;
}
