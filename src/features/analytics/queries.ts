import { sql } from 'kysely';
import { isoOf } from '#/kernel/iso.ts';
import { looks } from '#/features/audit/actions/rules.ts';
import type { Ctx } from '#/platform/context.ts';
import type { ActivityView } from './contract.ts';

const shown = 12;

/** Returns the latest audit log entries except views. */
export async function recentActivity(ctx: Ctx): Promise<ActivityView> {
  const rows = await ctx.db
    .selectFrom('audit_entries')
    .leftJoin('profiles', (join) =>
      join.onRef('profiles.id', '=', 'audit_entries.actor_id').on('profiles.erased_at', 'is', null),
    )
    .leftJoin('api_tokens', 'api_tokens.id', 'audit_entries.actor_id')
    .select([
      'audit_entries.id',
      'audit_entries.at',
      'audit_entries.actor_kind',
      'audit_entries.actor_name',
      'audit_entries.action',
      'audit_entries.success',
      'profiles.full_name',
      'api_tokens.name as token_name',
    ])
    .where('audit_entries.action', 'not in', looks)
    .orderBy('audit_entries.at', 'desc')
    .orderBy('audit_entries.id', 'desc')
    // Literal: generic plans scan only newest rows.
    .limit(sql.lit(shown))
    .execute();
  return rows.map(({ id, at, actor_kind, actor_name, action, success, full_name, token_name }) => ({
    id,
    at: isoOf(at),
    actor: { kind: actor_kind, name: actor_kind === 'job' ? actor_name : (full_name ?? token_name) },
    action,
    success,
  }));
}
