import { AppError } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache } from '#/platform/realtime/publish.ts';
import type { DevotionalEdit, DevotionalEntry } from './contract.ts';
import { requireDevotionalEntry, requireLockedDevotional } from './policies.ts';

/** Edits a devotional. Throws conflict `changed_meanwhile` on concurrent edits, `not_found` for invalid days. */
export async function editDevotional(
  ctx: Ctx,
  { day, version, ...words }: DevotionalEdit,
): Promise<DevotionalEntry> {
  authorize(ctx.actor, ['moderate_content']);
  return transact(ctx, async (tx) => {
    const known = await requireLockedDevotional(tx, day);
    if (known.version !== version) throw new AppError('conflict', 'changed_meanwhile');
    const changed = parts.filter((part) => words[part] !== known[part]);
    if (changed.length > 0) {
      await tx.db
        .updateTable('devotionals')
        .set({
          ...words,
          version: version + 1,
          edited_at: new Date(tx.now().epochMilliseconds),
          edited_by: tx.actor.kind === 'person' ? tx.actor.id : null,
        })
        .where('day', '=', day)
        .execute();
      await recordDone(tx, {
        action: 'devotional_edited',
        details: { day, version: version + 1, changed: changed.join(' ') },
      });
      await clearPageCache(tx);
    }
    return requireDevotionalEntry(tx, day);
  });
}

const parts = ['title', 'reference', 'text', 'thought', 'prayer'] as const;
