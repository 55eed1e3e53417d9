import { AppError, invalidField } from '#/kernel/errors.ts';
import { authorize, topicsOf } from '#/features/access/rules.ts';
import type { ActionAfter } from '#/features/audit/actions/rules.ts';
import { recordDone } from '#/features/audit/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { transact } from '#/platform/db/transact.ts';
import { clearPageCache, publish } from '#/platform/realtime/publish.ts';
import { followCredentials } from '../expiry/commands.ts';
import {
  lockPractice,
  requirePractice,
  requireOwnUnapproved,
  requirePendingCredential,
} from '../practice/policies.ts';
import { isExpired } from '../practice/rules.ts';
import type { CredentialState, OwnCredential, SubmitInput } from './contract.ts';
import { ownCredentials } from './queries.ts';

declare module '#/platform/context.ts' {
  interface Events {
    'providers.credential_decided': { credentialId: string };
  }
}

const maxApproved = 10;

/**
 * Submits the provider's credential for review, deleting rejected ones; approved ones stay until the decision. Throws
 * conflict `credential_waiting` or `credentials_full`; invalid for a past expiry date, or if `replaces` isn't approved.
 */
export async function submitCredential(ctx: Ctx, input: SubmitInput): Promise<OwnCredential> {
  authorize(ctx.actor, ['manage_own_profile']);
  const practice = await requirePractice(ctx);
  const today = ctx.now().toString().slice(0, 10);
  if (isExpired(input.expiresOn ?? null, today)) throw invalidField('expiresOn', 'past');
  return transact(ctx, async (tx) => {
    await lockPractice(tx, practice);
    const before = await ownCredentials(tx, practice);
    if (before.some(({ state }) => state === 'pending')) throw new AppError('conflict', 'credential_waiting');
    const approved = before.filter(({ state }) => state === 'approved');
    const { replaces = null } = input;
    if (replaces !== null && !approved.some(({ id }) => id === replaces))
      throw invalidField('replaces', 'not_approved');
    if (replaces === null && approved.length >= maxApproved)
      throw new AppError('conflict', 'credentials_full');
    await tx.db
      .deleteFrom('provider_credentials')
      .where('provider_id', '=', practice)
      .where('state', '=', 'rejected')
      .execute();
    const id = tx.newId();
    await tx.db
      .insertInto('provider_credentials')
      .values({
        id,
        provider_id: practice,
        kind: input.kind,
        number: input.number,
        issuer: input.issuer,
        region: input.region,
        expires_on: input.expiresOn ?? null,
        replaces,
        submitted_at: new Date(tx.now().epochMilliseconds),
      })
      .execute();
    await record(tx, 'submitted', id);
    await notifyScreens(tx, practice, id);
    return (await ownCredentials(tx, practice)).find((one) => one.id === id)!;
  });
}

/** Deletes the provider's own pending or rejected credential. */
export async function withdrawCredential(ctx: Ctx, credentialId: string): Promise<{ id: string }> {
  authorize(ctx.actor, ['manage_own_profile']);
  const practice = await requirePractice(ctx);
  return transact(ctx, async (tx) => {
    const { id } = await requireOwnUnapproved(tx, practice, credentialId);
    await tx.db.deleteFrom('provider_credentials').where('id', '=', id).execute();
    await record(tx, 'withdrawn', id, { providerId: practice });
    await notifyScreens(tx, practice, id);
    return { id };
  });
}

interface Decided {
  id: string;
  state: CredentialState;
}

/** Approves a pending credential and retires the one it replaces. Throws conflict `decided` if no longer pending. */
export async function approveCredential(ctx: Ctx, credentialId: string): Promise<Decided> {
  return decide(ctx, credentialId, 'approved', null);
}

/** Rejects a pending credential with a reason. Throws conflict `decided` if no longer pending. */
export async function rejectCredential(ctx: Ctx, credentialId: string, reason: string): Promise<Decided> {
  return decide(ctx, credentialId, 'rejected', reason);
}

async function decide(
  ctx: Ctx,
  credentialId: string,
  state: 'approved' | 'rejected',
  reason: string | null,
): Promise<Decided> {
  authorize(ctx.actor, ['manage_providers']);
  return transact(ctx, async (tx) => {
    const row = await requirePendingCredential(tx, credentialId);
    if (state === 'approved' && row.replaces) {
      await tx.db
        .updateTable('provider_credentials')
        .set({ state: 'replaced' })
        .where('id', '=', row.replaces)
        .where('state', '=', 'approved')
        .execute();
    }
    const { actor } = tx;
    await tx.db
      .updateTable('provider_credentials')
      .set({
        state,
        reason,
        decided_at: new Date(tx.now().epochMilliseconds),
        decided_by: actor.kind === 'person' ? actor.id : null,
      })
      .where('id', '=', credentialId)
      .execute();
    await record(tx, state, credentialId, {
      providerId: row.provider_id,
      state: `pending → ${state}`,
    });
    await notifyScreens(tx, row.provider_id, credentialId);
    if (state === 'approved') {
      await followCredentials(tx, row.provider_id);
      await clearPageCache(tx);
    }
    await tx.emit(tx, 'providers.credential_decided', { credentialId });
    return { id: credentialId, state };
  });
}

async function record(
  tx: TxCtx,
  what: ActionAfter<'provider.credential_'>,
  id: string,
  details: Record<string, string> = {},
): Promise<void> {
  await recordDone(tx, {
    action: `provider.credential_${what}`,
    subject: { kind: 'credential', id },
    details,
  });
}

async function notifyScreens(tx: TxCtx, providerId: string, id: string): Promise<void> {
  await publish(tx, [`person:${providerId}`, ...topicsOf('manage_providers')], {
    type: 'providers.credentials_changed',
    id,
  });
}
