import { randomBytes } from 'node:crypto';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { compiledOnce } from '#/platform/db/compiled-once.ts';
import { transact } from '#/platform/db/transact.ts';
import { networkOf } from '#/platform/http/address.ts';
import { countAttempt } from '#/platform/http/limits.ts';
import { digestBytes } from '#/platform/tokens.ts';
import { type Action, categoryOf, type looks, type Refusal } from './actions/rules.ts';
import type { NewAuditEntry } from './tables.ts';

/** Fixed words and ids only, no user text. */
export interface AuditedAction {
  action: Action | Refusal;
  subject?: { kind: string; id: string };
  details?: Record<string, string | number | boolean | null>;
}

/** Seconds; pages refetch after every change. */
const viewSeconds = 900;

function entry(ctx: Ctx, act: AuditedAction, success: boolean): NewAuditEntry {
  const { actor } = ctx;
  return {
    id: ctx.newId(),
    at: new Date(ctx.now().epochMilliseconds),
    actor_kind: actor.kind,
    actor_id: 'id' in actor ? actor.id : null,
    actor_name: actor.kind === 'job' ? actor.name : null,
    action: act.action,
    category: categoryOf(act.action),
    subject_kind: act.subject?.kind ?? null,
    subject_id: act.subject?.id ?? null,
    details: JSON.stringify(act.details ?? {}),
    request_id: ctx.requestId,
    success,
    address_mark: null,
  };
}

/** Meaningless after its salt is deleted. */
function marked(address: string): { salt: Buffer; mark: Buffer } {
  const salt = randomBytes(16);
  return { salt, mark: digestBytes(salt, address) };
}

/** Stores the IP address separately, for later erasure. */
async function write(ctx: Ctx, act: AuditedAction, success: boolean): Promise<void> {
  const values = entry(ctx, act, success);
  const { address } = ctx;
  if (address === null) {
    await ctx.db.insertInto('audit_entries').values(values).execute();
    return;
  }
  const { salt, mark } = marked(address);
  await insertWithAddress(ctx.db, { ...values, address_mark: mark, address, salt });
}

const insertWithAddress = compiledOnce(
  (db, { address, salt, ...values }: NewAuditEntry & { address: string; salt: Buffer }) =>
    db
      .with('entry', (one) => one.insertInto('audit_entries').values(values).returning('id'))
      .insertInto('audit_personal')
      .columns(['entry_id', 'address', 'salt'])
      .expression((eb) =>
        eb.selectFrom('entry').select(['entry.id', eb.val(address).as('address'), eb.val(salt).as('salt')]),
      ),
);

/** Commits with its transaction. Throws like `requireActing`. */
export async function recordDone(tx: TxCtx, act: AuditedAction): Promise<void> {
  await Promise.all([write(tx, act, true), tx.requireActing?.(tx)]);
}

/** Records a refusal outside the rolled-back transaction. */
export async function recordRefused(ctx: Ctx, act: AuditedAction): Promise<void> {
  await write(ctx, act, false);
}

/** Refusals recorded per person or network per hour: enough to spot abuse without flooding the log. */
const refusalsNoted = 60;

/** Like `recordRefused`, but at most sixty an hour per person or token, or per network for guests. */
export async function noteRefusal(ctx: Ctx, procedure: string, reason: string): Promise<void> {
  const who = 'id' in ctx.actor ? ctx.actor.id : networkOf(ctx.address ?? '');
  if (!(await countAttempt(ctx.db, `refused:${who}`, refusalsNoted, 3_600, ctx.now()))) return;
  await recordRefused(ctx, { action: `refused.${procedure}`, details: { reason } });
}

/** Records a view before returning another person's data, at most every 15 minutes per session or token. */
export async function recordView(
  ctx: Ctx,
  act: AuditedAction & { action: (typeof looks)[number] },
): Promise<void> {
  const { actor } = ctx;
  if (!('id' in actor)) return;
  const key = `view:${actor.kind === 'person' ? actor.sessionId : actor.id}:${act.action}:${act.subject?.id ?? ''}`;
  await transact(ctx, async (tx) => {
    if (await countAttempt(tx.db, key, 1, viewSeconds, tx.now())) await write(tx, act, true);
  });
}
