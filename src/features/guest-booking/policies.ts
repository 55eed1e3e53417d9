import { AppError } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { digestHex } from '#/platform/tokens.ts';
import type { StoredRequest } from './tables.ts';

/** Finds a request by token, which alone grants access. Throws `not_found` (`booking_request`) for an unknown token. */
export async function requireRequest(
  ctx: Ctx,
  token: string,
  { locked }: { locked: boolean },
): Promise<StoredRequest> {
  return ctx.db
    .selectFrom('booking_requests')
    .selectAll()
    .where('token_hash', '=', digestHex(token))
    .$if(locked, (rows) => rows.forUpdate())
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'booking_request'));
}
