import { sql } from 'kysely';
import { AppError } from '#/kernel/errors.ts';
import { can, type Self } from '#/features/access/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ResourceContent } from '../contract.ts';
import { attachedFile } from '../queries.ts';
import { resourceColumns, type Resource } from '../tables.ts';

/** File link lifetime: matches the longest sign-in session, so a pause overnight doesn't break playback. */
const linkSeconds = 12 * 3_600;

/** Returns a resource's content to people who got it while published, its author, and moderators reviewing it. */
export async function resourceContent(ctx: Ctx, self: Self, id: string): Promise<ResourceContent> {
  const row = await ctx.db
    .selectFrom('resources')
    .select(resourceColumns)
    .select(gotBy(self).as('got'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw new AppError('not_found', 'resource');
  const decides = ctx.actor.kind === 'person' && can(ctx.actor.role, 'moderate_content');
  const insider = row.created_by === self || (decides && row.status === 'submitted');
  if (!insider && row.status !== 'published') throw new AppError('not_found', 'resource');
  if (!insider && !row.got) throw new AppError('precondition', 'not_got');
  return contentOf(ctx, row);
}

export function contentOf(ctx: Ctx, row: Resource): ResourceContent {
  const { version, form } = row;
  switch (form) {
    case 'article':
      return { version, form, body: row.body };
    case 'link':
      return { version, form, url: row.url ?? '' };
    case 'file': {
      const file = attachedFile(row);
      if (!file || !row.file_id) throw new AppError('not_found', 'file');
      const url = ctx.files.link(ctx, { id: row.file_id, name: file.name }, linkSeconds);
      return { version, form, url, seconds: linkSeconds, file };
    }
  }
}

function gotBy(self: string) {
  return sql<boolean>`exists (select from resource_gets
    where resource_gets.resource_id = resources.id and resource_gets.person_id = ${self})`;
}
