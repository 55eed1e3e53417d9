import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { AuditCategory, NewAuditEntry } from './tables.ts';

/** What happened, in closed words and ids. */
export interface AuditedAct {
  action: string;
  category: AuditCategory;
  subject?: { kind: string; id: string };
  details?: Record<string, string | number | boolean | null>;
}

function entry(ctx: Ctx, act: AuditedAct, success: boolean): NewAuditEntry {
  const { actor } = ctx;
  return {
    id: ctx.newId(),
    at: new Date(ctx.now().epochMilliseconds),
    actor_kind: actor.kind,
    actor_id: actor.kind === 'person' ? actor.id : null,
    actor_name: actor.kind === 'job' ? actor.name : null,
    action: act.action,
    category: act.category,
    subject_kind: act.subject?.kind ?? null,
    subject_id: act.subject?.id ?? null,
    details: JSON.stringify(act.details ?? {}),
    address: ctx.address,
    request_id: ctx.requestId,
    success,
  };
}

/** Writes what was done, in the transaction that does it: if it can't be written, nothing is. */
export async function recordDone(tx: TxCtx, act: AuditedAct): Promise<void> {
  await tx.db
    .insertInto('audit_entries')
    .values(entry(tx, act, true))
    .execute();
}

/** Writes that something was refused or failed; outside the transaction that it broke off. */
export async function recordRefused(ctx: Ctx, act: AuditedAct): Promise<void> {
  await ctx.db
    .insertInto('audit_entries')
    .values(entry(ctx, act, false))
    .execute();
}
