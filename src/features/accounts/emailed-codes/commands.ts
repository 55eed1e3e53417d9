import { randomInt } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import { codeDigits, codeMinutes, codeTries } from '../rules.ts';
import type { SignInCodesTable } from '../tables.ts';

export type SignInCode = Selectable<SignInCodesTable>;

/**
 * Stores a request for a code and ends the asker's earlier one. `address` and `network` are HMACs. Without a person, no
 * code is ever correct.
 */
export async function awaitCode(
  tx: TxCtx,
  {
    address,
    userId,
    device,
    network,
  }: { address: string; userId: string | null; device: string; network: string | null },
): Promise<string> {
  const id = tx.newId();
  const waiting = {
    id,
    address,
    user_id: userId,
    network,
    code: null,
    tries: 0,
    created_at: new Date(tx.now().epochMilliseconds),
    expires_at: new Date(tx.now().add({ minutes: codeMinutes }).epochMilliseconds),
  };
  await tx.db
    .insertInto('sign_in_codes')
    .values({ device: digest(device), ...waiting })
    .onConflict((on) => on.column('device').doUpdateSet(waiting))
    .execute();
  return id;
}

/** Creates the code once and stores only its hash. Returns null if it was replaced, ended or already created. */
export async function makeCode(
  tx: TxCtx,
  id: string,
): Promise<{ code: string; userId: string; expiresAt: Temporal.Instant } | null> {
  const code = String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0');
  const made = await tx.db
    .updateTable('sign_in_codes')
    .set({ code: tx.keyring.hash(code, boundTo(id)) })
    .where('id', '=', id)
    .where('code', 'is', null)
    .where('user_id', 'is not', null)
    .where('expires_at', '>', new Date(tx.now().epochMilliseconds))
    .returning(['user_id', 'expires_at'])
    .executeTakeFirst();
  if (!made?.user_id) return null;
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(made.expires_at.getTime());
  return { code, userId: made.user_id, expiresAt };
}

/** Allows creating the code again if it couldn't be sent. */
export async function unmakeCode({ db }: Ctx, id: string): Promise<void> {
  await db.updateTable('sign_in_codes').set({ code: null }).where('id', '=', id).execute();
}

/** Returns the code that a browser asked for, by its cookie value. */
export async function codeAwaited({ db, now }: Ctx, device: string | null): Promise<SignInCode | undefined> {
  if (device === null) return undefined;
  return db
    .selectFrom('sign_in_codes')
    .selectAll()
    .where('device', '=', digest(device))
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .executeTakeFirst();
}

/** The latest code of any program. */
export async function programCodeAwaited({ db, now }: Ctx, address: string): Promise<SignInCode | undefined> {
  return db
    .selectFrom('sign_in_codes')
    .selectAll()
    .where('address', '=', address)
    .where('network', 'is not', null)
    .where('expires_at', '>', new Date(now().epochMilliseconds))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Counts a try before it's checked, so parallel ones can't exceed the limit. Null if none is left. */
export async function countTry({ db }: Ctx, id: string): Promise<{ isLast: boolean } | null> {
  const counted = await db
    .updateTable('sign_in_codes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .where('tries', '<', codeTries)
    .returning('tries')
    .executeTakeFirst();
  return counted ? { isLast: counted.tries >= codeTries } : null;
}

/** Uncounts a right try, which a second step may follow. */
export async function uncountTry({ db }: Ctx, id: string): Promise<void> {
  await db
    .updateTable('sign_in_codes')
    .set(({ eb }) => ({ tries: eb('tries', '-', 1) }))
    .where('id', '=', id)
    .where('tries', '>', 0)
    .execute();
}

export function isRightCode({ keyring }: Ctx, { id, code }: SignInCode, typed: string): boolean {
  return code !== null && keyring.matches(code, typed, boundTo(id));
}

/** Ends the address's codes. Undefined: used, replaced or expired. */
export async function consumeCode(
  { db }: TxCtx,
  id: string,
): Promise<Pick<SignInCode, 'address'> | undefined> {
  const consumed = await db
    .deleteFrom('sign_in_codes')
    .where('id', '=', id)
    .where('code', 'is not', null)
    .returning('address')
    .executeTakeFirst();
  if (consumed) await db.deleteFrom('sign_in_codes').where('address', '=', consumed.address).execute();
  return consumed;
}

function boundTo(id: string): string {
  return `sign_in_codes.code:${id}`;
}
