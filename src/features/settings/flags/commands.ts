import { AppError, invalidField } from '#/kernel/errors.ts';
import { isProvider, type Role } from '#/kernel/actor.ts';
import { authorize } from '#/features/access/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { notifySite } from '../notice/commands.ts';
import type { BulkAction, FlagId, FlagScope, FlagView } from './contract.ts';
import { flagViews } from './queries.ts';
import { bulkChanges, isOffered, isSameState, rolesFor, type FlagState } from './rules.ts';

/** Turns a feature on or off. */
export async function switchFlag(
  ctx: Ctx,
  { flagId, version, enabled }: { flagId: FlagId; version: number; enabled: boolean },
): Promise<FlagView[]> {
  return changeLocked(ctx, async (tx, flags) => {
    const flag = requireVersion(flags, flagId, version);
    if (flag.enabled === enabled) return;
    await change(tx, flag, { ...flag, enabled });
  });
}

/** Injected, because settings can't import the accounts feature. */
export type FindPeople = (ctx: Ctx, ids: readonly string[]) => Promise<readonly { id: string; role: Role }[]>;

/** Sets a feature's scope; features offered by providers can name only providers. */
export async function setFlagScope(
  ctx: Ctx,
  input: { flagId: FlagId; version: number; scope: FlagScope; roles: Role[]; personIds: string[] },
  findPeople: FindPeople,
): Promise<FlagView[]> {
  const { flagId, version, scope } = input;
  const roles = scope === 'role_based' ? [...new Set(input.roles)] : [];
  const personIds = scope === 'user_specific' ? [...new Set(input.personIds)] : [];
  if (scope === 'role_based' && roles.length === 0) throw invalidField('roles', 'required');
  if (roles.some((role) => !rolesFor(flagId).includes(role))) throw invalidField('roles', 'not_offered');
  if (scope === 'user_specific' && personIds.length === 0) throw invalidField('personIds', 'required');
  return changeLocked(ctx, async (tx, flags) => {
    const flag = requireVersion(flags, flagId, version);
    if (isOffered(flagId) && (await findPeople(tx, personIds)).some(({ role }) => !isProvider(role)))
      throw invalidField('personIds', 'providers_only');
    const to = { enabled: flag.enabled, scope, roles, personIds };
    if (!isSameState(flag, to)) await change(tx, flag, to);
  });
}

/** Applies a bulk action; throws `flag_changed` if the preview is outdated. */
export async function changeFlags(
  ctx: Ctx,
  { action, expected }: { action: BulkAction; expected: { flagId: FlagId; version: number }[] },
): Promise<FlagView[]> {
  return changeLocked(ctx, async (tx, flags) => {
    for (const { flagId, version } of expected) requireVersion(flags, flagId, version);
    const changes = bulkChanges(action, flags);
    if (changes.length !== expected.length || !changes.every(({ flag }) => isAmong(expected, flag.id)))
      throw new AppError('conflict', 'flag_changed');
    for (const { flag, to } of changes) await change(tx, flag, to, action);
  });
}

function isAmong(expected: readonly { flagId: FlagId }[], id: FlagId): boolean {
  return expected.some(({ flagId }) => flagId === id);
}

/** Locks all flags, because changes are rare. */
async function changeLocked(
  ctx: Ctx,
  work: (tx: TxCtx, flags: readonly FlagView[]) => Promise<void>,
): Promise<FlagView[]> {
  authorize(ctx.actor, ['manage_settings']);
  return transact(ctx, async (tx) => {
    await tx.db.selectFrom('feature_flags').select('id').orderBy('id').forUpdate().execute();
    await work(tx, await flagViews(tx));
    return flagViews(tx);
  });
}

function requireVersion(flags: readonly FlagView[], flagId: FlagId, version: number): FlagView {
  const flag = flags.find(({ id }) => id === flagId)!;
  if (flag.version !== version) throw new AppError('conflict', 'flag_changed');
  return flag;
}

async function change(tx: TxCtx, flag: FlagView, to: FlagState, action?: BulkAction): Promise<void> {
  await tx.db
    .updateTable('feature_flags')
    .set({
      enabled: to.enabled,
      scope: to.scope,
      roles: [...to.roles],
      modified_at: new Date(tx.now().epochMilliseconds),
      modified_by: tx.actor.kind === 'person' ? tx.actor.id : null,
      version: flag.version + 1,
    })
    .where('id', '=', flag.id)
    .execute();
  await setPeople(tx, flag.id, to.personIds);
  await recordDone(tx, {
    action: flag.enabled === to.enabled ? 'flags.scoped' : to.enabled ? 'flags.enabled' : 'flags.disabled',
    details: { flag: flag.id, ...changeDetails(flag, to), ...(action ? { by: action } : {}) },
  });
  await notifySite(tx);
}

/** Logs people as ids only. */
function changeDetails(from: FlagState, to: FlagState): Record<string, string> {
  const parts = {
    switch: [onOff(from), onOff(to)],
    scope: [from.scope, to.scope],
    roles: [listed(from.roles), listed(to.roles)],
  };
  const changed = Object.entries(parts).filter(([, [before, after]]) => before !== after);
  const added = to.personIds.filter((id) => !from.personIds.includes(id));
  const removed = from.personIds.filter((id) => !to.personIds.includes(id));
  return {
    ...Object.fromEntries(changed.map(([name, values]) => [name, values.join(' → ')])),
    ...(added.length > 0 && { addedPeople: added.join(' ') }),
    ...(removed.length > 0 && { removedPeople: removed.join(' ') }),
  };
}

function onOff({ enabled }: FlagState): string {
  return enabled ? 'on' : 'off';
}

function listed(roles: readonly Role[]): string {
  return roles.length === 0 ? 'none' : roles.join(', ');
}

async function setPeople(tx: TxCtx, flag: FlagId, personIds: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('feature_flag_users').where('flag_id', '=', flag).execute();
  if (personIds.length === 0) return;
  const rows = personIds.map((person_id) => ({ flag_id: flag, person_id }));
  try {
    await tx.db.insertInto('feature_flag_users').values(rows).execute();
  } catch (error) {
    // Foreign key: there's no such account.
    if (sqlState(error) === '23503') throw invalidField('personIds', 'unknown');
    throw error;
  }
}
