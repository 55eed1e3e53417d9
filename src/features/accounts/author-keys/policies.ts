import type { KeyObject } from 'node:crypto';
import { AppError } from '#/kernel/errors.ts';
import type { Ctx, TxCtx } from '#/platform/context.ts';
import type { Self } from '#/features/access/rules.ts';
import { authorKeyRow, sessionAuthorKey } from './queries.ts';

/**
 * Returns the key to write the caller's words with; call it in the transaction that writes. Throws `precondition`
 * (`words_locked`).
 */
export async function requireAuthorKey(tx: TxCtx): Promise<KeyObject> {
  const key = await sessionAuthorKey(tx);
  if (!key) throw new AppError('precondition', 'words_locked');
  return key;
}

/**
 * Returns the key to read the caller's words with; null if they have none yet, so all text is from earlier releases.
 * Throws `precondition` (`words_locked`).
 */
export async function requireReadable(ctx: Ctx, self: Self): Promise<KeyObject | null> {
  const key = await sessionAuthorKey(ctx);
  if (key) return key;
  if (await authorKeyRow(ctx, self)) throw new AppError('precondition', 'words_locked');
  return null;
}
