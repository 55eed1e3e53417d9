import type { JWK } from 'jose';
import type { Ctx } from '#/platform/context.ts';
import { sealedColumn } from '#/platform/sealed-column.ts';

export const sealedPrivateKey = sealedColumn('program_keys', 'sealed_private_key');

/** Returns all keys, newest first. */
export async function keysOf({ db }: Ctx) {
  const rows = await db
    .selectFrom('program_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    ...row,
    madeAt: Temporal.Instant.fromEpochMilliseconds(row.created_at.getTime()),
  }));
}

/** Returns the key that a token names; undefined once it's gone. */
export async function publicKey({ db }: Ctx, id: string | undefined): Promise<JWK | undefined> {
  if (!id || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined;
  const row = await db
    .selectFrom('program_keys')
    .select('public_key')
    .where('id', '=', id)
    .executeTakeFirst();
  return row && (JSON.parse(row.public_key) as JWK);
}
