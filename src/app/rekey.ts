import { sql } from 'kysely';
import type { ProcessContext } from '#/platform/context.ts';
import type { Keyrings, SealedColumn } from '#/platform/sealed-column.ts';
import { sealedFileKey } from '#/platform/files/seal.ts';
import { sealed as sealedMail } from '#/platform/mail/sealing.ts';
import { features } from './features.ts';

export const sealedColumns: readonly SealedColumn[] = [
  ...features.flatMap(({ sealed }) => sealed),
  sealedFileKey,
  ...Object.values(sealedMail),
];

const batch = 500;

/**
 * Re-encrypts texts sealed under older keys with the keyring's first key, in batches, and returns their count. Safe to
 * interrupt, rerun or run beside live servers: concurrently changed texts are left alone.
 */
export async function rekey(
  { db, ...rings }: Pick<ProcessContext, 'db'> & Keyrings,
  columns: typeof sealedColumns,
): Promise<number> {
  let changed = 0;
  for (const { table, column, ring, open, seal } of columns) {
    const keys = rings[ring];
    for (let after: string | null = null; ;) {
      const rows: { id: string; text: string }[] = (
        await sql<{ id: string; text: string }>`
          select id, ${sql.ref(column)} as text from ${sql.table(table)}
           where ${sql.ref(column)} is not null and (${after}::uuid is null or id > ${after}::uuid)
           order by id limit ${batch}`.execute(db)
      ).rows;
      for (const { id, text } of rows.filter((row) => keys.isOld(row.text))) {
        const resealed = seal(keys, id, open(keys, id, text));
        const { numAffectedRows } = await sql`
          update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
           where id = ${id} and ${sql.ref(column)} = ${text}`.execute(db);
        changed += Number(numAffectedRows ?? 0);
      }
      after = rows.at(-1)?.id ?? null;
      if (rows.length < batch) break;
    }
  }
  return changed;
}
