import { can, type Self } from '#/features/access/rules.ts';
import { roles } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ResourceContent } from '../library/contract.ts';
import { requireAttachedFile, requireReadable } from '../library/policies.ts';
import type { Resource } from '../library/tables.ts';

/** File link lifetime: matches the longest sign-in session, so a pause overnight doesn't break playback. */
const linkSeconds = 12 * 3_600;

/** Returns a resource's content to people who got it while published, its author, and moderators reviewing it. */
export async function resourceContent(ctx: Ctx, self: Self, id: string): Promise<ResourceContent> {
  return contentOf(ctx, await requireReadable(ctx, self, id));
}

export function contentOf(ctx: Ctx, row: Resource): ResourceContent {
  const { version, form } = row;
  switch (form) {
    case 'article':
      return { version, form, body: row.body };
    case 'link':
      return { version, form, url: row.url ?? '' };
    case 'file': {
      const { id, ...file } = requireAttachedFile(row);
      const url = ctx.files.link(ctx, { id, name: file.name }, linkSeconds);
      return { version, form, url, seconds: linkSeconds, file };
    }
  }
}

/** Whether its resource is closed to the person. */
export async function isUnpublishedFor({ db }: Ctx, personId: string, fileId: string): Promise<boolean> {
  const found = await db
    .selectFrom('resources')
    .select('id')
    .where('file_id', '=', fileId)
    .where('status', '!=', 'published')
    .where('created_by', 'is distinct from', personId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('profiles')
            .select('profiles.id')
            .where('profiles.id', '=', personId)
            .where(
              'role',
              'in',
              roles.filter((role) => can(role, 'moderate_content')),
            ),
        ),
      ),
    )
    .executeTakeFirst();
  return found !== undefined;
}
