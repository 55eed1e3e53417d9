import { randomBytes } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import { authorize } from '#/features/access/rules.ts';
import { makeLinkToken } from '#/features/accounts/commands.ts';
import { findSignInAccount, requireNotHeld } from '#/features/accounts/queries.ts';
import { opensByLinkOf, unclaimedAddress, type SignInAccount } from '#/features/accounts/rules.ts';
import { claimAccount, removeUnclaimed } from '#/features/accounts/unclaimed/commands.ts';
import { recordDone } from '#/features/audit/commands.ts';
import { moveSessions } from '#/features/appointments/on-behalf/commands.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { sqlState } from '#/platform/db/outage.ts';
import { transact } from '#/platform/db/transact.ts';
import { publish } from '#/platform/realtime/publish.ts';
import { addressDigest, digest } from '#/platform/tokens.ts';
import { isOptedOut } from '../clients/queries.ts';
import { requireLockedClaim, type FoundClaim } from './policies.ts';
import { claimHours } from './rules.ts';

/** PostgreSQL error code for a duplicate key. */
const uniqueViolation = '23505';

/**
 * Creates an invitation token in the transaction sending the email; null if the address gets no email. Stores only the
 * hash. All emailed links work until one is used.
 */
export async function issueClaim(
  tx: TxCtx,
  clientId: string,
): Promise<{ token: string; email: string } | null> {
  const record = await tx.db
    .selectFrom('client_records')
    .select(['email', 'provider_id'])
    .where('person_id', '=', clientId)
    .where('email', 'is not', null)
    .where('sent_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
  if (!record?.email || (await isOptedOut(tx, record.provider_id, record.email))) return null;
  const token = randomBytes(32).toString('base64url');
  await tx.db
    .insertInto('client_claims')
    .values({
      token_hash: digest(token),
      person_id: clientId,
      expires_at: new Date(tx.now().add({ hours: claimHours }).epochMilliseconds),
    })
    .execute();
  return { token, email: record.email };
}

/**
 * Moves a record's sessions and notes to the verified address's account, creating one if needed. Existing account
 * owners must sign in first. Returns a sign-in token if signed out.
 */
export async function acceptClaim(ctx: Ctx, token: string): Promise<{ signInToken: string | null }> {
  const attempt = () => transact(ctx, (tx) => acceptOnce(tx, token));
  return attempt().catch((error: unknown) => {
    // Another request just created this account: retry.
    if (sqlState(error) === uniqueViolation) return attempt();
    throw error;
  });
}

async function acceptOnce(tx: TxCtx, token: string): Promise<{ signInToken: string | null }> {
  const found = await requireLockedClaim(tx, token);
  const { personId, email, holder, state } = found;
  if (state === 'sign_in') throw new AppError('unauthenticated', 'sign_in_required');
  if (state === 'other') throw new AppError('forbidden', 'other_account');
  await tx.db.deleteFrom('client_records').where('person_id', '=', personId).execute();
  if (holder) await moveTo(tx, found, holder);
  else await claimAccount(tx, personId, email);
  const ownerId = holder?.id ?? personId;
  await recordDone(tx, {
    action: 'care.client_claimed',
    subject: { kind: 'person', id: ownerId },
    details: { providerId: found.providerId, recordId: personId },
  });
  await publish(tx, [`person:${found.providerId}`], { type: 'booking.changed', id: ownerId });
  if (tx.actor.kind === 'person') return { signInToken: null };
  // Lock the account: its owner may be revoking links or setting a password.
  const account = await findSignInAccount(tx, { id: ownerId }, { locked: true });
  const signsIn = account !== null && opensByLinkOf(found.made, account);
  return { signInToken: signsIn ? await makeLinkToken(tx, 'sign-in', ownerId) : null };
}

async function moveTo(tx: TxCtx, { personId, providerId }: FoundClaim, holder: SignInAccount): Promise<void> {
  if (holder.suspended) throw new AppError('forbidden', 'account_suspended');
  if (holder.id === providerId) throw new AppError('forbidden', 'yourself');
  await requireNotHeld(tx, holder.id);
  authorize({ kind: 'person', id: holder.id, role: holder.role, sessionId: tx.newId() }, [
    'book_appointments',
  ]);
  await moveSessions(tx, { from: personId, to: holder.id, providerId });
  for (const table of ['session_notes', 'private_notes'] as const) {
    await tx.db.updateTable(table).set({ client_id: holder.id }).where('client_id', '=', personId).execute();
  }
  await removeUnclaimed(tx, personId);
}

/** Stops a specialist's emails to a mailbox. The specialist keeps the records with it. */
export async function declineClaim(ctx: Ctx, token: string): Promise<{ declined: true }> {
  return transact(ctx, async (tx) => {
    const { personId, providerId, email } = await requireLockedClaim(tx, token);
    const address_digest = addressDigest(email);
    await tx.db
      .insertInto('client_opt_outs')
      .values({ provider_id: providerId, address_digest })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const records = await tx.db
      .selectFrom('client_records')
      .select(['person_id', 'email'])
      .where('provider_id', '=', providerId)
      .where('email', 'is not', null)
      .execute();
    for (const { person_id } of records.filter((one) => addressDigest(one.email!) === address_digest)) {
      await tx.db.deleteFrom('client_claims').where('person_id', '=', person_id).execute();
      await tx.db
        .updateTable('appointments')
        .set({ contact_email: unclaimedAddress(person_id) })
        .where('client_id', '=', person_id)
        .execute();
    }
    await recordDone(tx, { action: 'care.client_declined', subject: { kind: 'person', id: personId } });
    await publish(tx, [`person:${providerId}`], { type: 'booking.changed', id: personId });
    return { declined: true };
  });
}

/** Deletes expired links. */
export async function deleteExpiredClaims({ db, now }: Ctx): Promise<void> {
  await db.deleteFrom('client_claims').where('expires_at', '<=', new Date(now().epochMilliseconds)).execute();
}
