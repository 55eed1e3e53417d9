import { createHash, randomBytes } from 'node:crypto';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { hit } from '#/platform/http/limits.ts';
import type { Action, looks } from './actions/rules.ts';
import type { AuditCategory } from './log/rules.ts';
import type { NewAuditEntry } from './tables.ts';

/** That a procedure was refused. */
type Refusal = `refused.${string}`;

/** What happened, in closed words and ids. */
export interface AuditedAct {
  action: Action | Refusal;
  category: AuditCategory;
  subject?: { kind: string; id: string };
  details?: Record<string, string | number | boolean | null>;
}

/** For how long the same view counts as one, in seconds: pages ask again whenever something changes. */
const viewSeconds = 900;

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
    request_id: ctx.requestId,
    success,
    address_mark: null,
  };
}

/** A hash of an address that tells nothing of it once the salt is gone. */
function marked(address: string): { salt: Buffer; mark: Buffer } {
  const salt = randomBytes(16);
  return { salt, mark: createHash('sha256').update(salt).update(address).digest() };
}

/** Writes an entry, and beside it where it came from. */
async function write(ctx: Ctx, act: AuditedAct, success: boolean): Promise<void> {
  const values = entry(ctx, act, success);
  const { address } = ctx;
  if (address === null) {
    await ctx.db.insertInto('audit_entries').values(values).execute();
    return;
  }
  const { salt, mark } = marked(address);
  await ctx.db
    .with('entry', (db) =>
      db
        .insertInto('audit_entries')
        .values({ ...values, address_mark: mark })
        .returning('id'),
    )
    .insertInto('audit_personal')
    .columns(['entry_id', 'address', 'salt'])
    .expression((eb) =>
      eb.selectFrom('entry').select(['entry.id', eb.val(address).as('address'), eb.val(salt).as('salt')]),
    )
    .execute();
}

/** Writes what was done, in the transaction that does it: if it can't be written, nothing is. */
export async function recordDone(tx: TxCtx, act: AuditedAct): Promise<void> {
  await write(tx, act, true);
}

/** Writes that something was refused or failed; outside the transaction that it broke off. */
export async function recordRefused(ctx: Ctx, act: AuditedAct): Promise<void> {
  await write(ctx, act, false);
}

/** Writes that a person looked at what is another's, before they get it: once for as long as they keep looking. */
export async function recordView(
  ctx: Ctx,
  act: AuditedAct & { action: (typeof looks)[number] },
): Promise<void> {
  if (ctx.actor.kind !== 'person') return;
  const key = `view:${ctx.actor.sessionId}:${act.action}:${act.subject?.id ?? ''}`;
  await transact(ctx, async (tx) => {
    if (await hit(tx.db, key, 1, viewSeconds, tx.now())) await write(tx, act, true);
  });
}
