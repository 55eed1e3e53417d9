import { sql } from 'kysely';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { createAccount } from '../commands.ts';
import { requirePerson } from '../policies.ts';
import { requireNoUndo } from '../queries.ts';
import { unclaimedAddress } from '../rules.ts';

/** An account that can't sign in until `claimAccount`. */
export async function createUnclaimed(
  ctx: Ctx,
  { name, timeZone }: { name: string; timeZone: string },
): Promise<string> {
  const account = { email: null, name, role: 'client', emailVerified: false, timeZone } as const;
  return createAccount(ctx, account);
}

export async function renameUnclaimed({ db, now }: TxCtx, personId: string, name: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ name, updated_at: new Date(now().epochMilliseconds) })
    .where('id', '=', personId)
    .where('email', '=', unclaimedAddress(personId))
    .execute();
  await db.updateTable('profiles').set({ full_name: name }).where('id', '=', personId).execute();
}

/** Hands over a confirmed account. Throws as `requireNoUndo`. */
export async function claimAccount(tx: TxCtx, personId: string, email: string): Promise<void> {
  const claimed = await tx.db
    .updateTable('users')
    .set({ email, email_verified: true, updated_at: new Date(tx.now().epochMilliseconds) })
    .where('id', '=', personId)
    .where('email', '=', unclaimedAddress(personId))
    .returning('id')
    .executeTakeFirst();
  requirePerson(claimed);
  // Must follow the update, which waits for concurrent changes of this address.
  await requireNoUndo(tx, email);
  await tx.db.updateTable('profiles').set({ delete_after: null }).where('id', '=', personId).execute();
}

export async function removeUnclaimed({ db }: TxCtx, personId: string): Promise<void> {
  await db
    .deleteFrom('users')
    .where('id', '=', personId)
    .where('email', '=', unclaimedAddress(personId))
    .execute();
}

/** Hours until an unclaimed account is erased, so cancellation emails go out first. */
const eraseAfterHours = 1;

export async function eraseUnclaimed(tx: TxCtx, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return;
  const due = tx.now().add({ hours: eraseAfterHours });
  const marked = await tx.db
    .updateTable('profiles')
    .from('users')
    .set({ delete_after: new Date(due.epochMilliseconds) })
    .whereRef('users.id', '=', 'profiles.id')
    .where('profiles.id', 'in', personIds)
    .where(sql<boolean>`users.email like '%@unclaimed.invalid'`)
    .returning('profiles.id')
    .execute();
  await Promise.all(
    marked.map(({ id }) => tx.emit(tx, 'accounts.deletion_due', { userId: id }, { startAfter: due })),
  );
}
