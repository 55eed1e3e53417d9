import { sql } from 'kysely';
import { sealed, type SealedColumn } from '#/features/growth/sealing/queries.ts';
import type { Ground } from '#/platform/context.ts';

/** Every column in the product whose texts are sealed. */
export const sealedColumns: readonly SealedColumn[] = Object.values(sealed);

/** How many rows are read at once. */
const batch = 500;

/**
 * Seals anew with the first key whatever another key sealed, column by column in batches, and returns how many texts
 * that were. It can be broken off and run again, also beside running servers: a text that changes meanwhile stays.
 */
export async function rekey(
  { db, keyring }: Pick<Ground, 'db' | 'keyring'>,
  columns: typeof sealedColumns,
): Promise<number> {
  let changed = 0;
  for (const { table, column, open, seal } of columns) {
    for (let after: string | null = null; ;) {
      const rows: { id: string; text: string }[] = (
        await sql<{ id: string; text: string }>`
          select id, ${sql.ref(column)} as text from ${sql.table(table)}
           where ${sql.ref(column)} is not null and (${after}::uuid is null or id > ${after}::uuid)
           order by id limit ${batch}`.execute(db)
      ).rows;
      for (const { id, text } of rows.filter((row) => keyring.isOld(row.text))) {
        const anew = seal(keyring, id, open(keyring, id, text));
        const { numAffectedRows } = await sql`
          update ${sql.table(table)} set ${sql.ref(column)} = ${anew}
           where id = ${id} and ${sql.ref(column)} = ${text}`.execute(db);
        changed += Number(numAffectedRows ?? 0);
      }
      after = rows.at(-1)?.id ?? null;
      if (rows.length < batch) break;
    }
  }
  return changed;
}
