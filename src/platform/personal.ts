import { sql, type Kysely, type Selectable } from 'kysely';
import type { Ctx, Database, TxCtx } from './context.ts';

/** A person's rows by table, readable: decrypted, without hashes or keys. */
export interface PersonalRecords {
  tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  files?: readonly { id: string; name: string }[];
  /** Data about the person that isn't exported, one sentence each, such as a counselor's private notes. */
  leftOut?: readonly string[];
}

export interface PersonalPart {
  /** Archive folder, such as `growth`. */
  name: string;
  collect(ctx: Ctx, personId: string): Promise<PersonalRecords>;
  /** Deletes or anonymizes the data. */
  erase(tx: TxCtx, personId: string): Promise<void>;
}

type Column<Table extends keyof Database> = keyof Database[Table] & string;

/** A person's rows of one table with all columns, in the order of the columns given last. */
export async function rowsOf<Table extends keyof Database>(
  db: Kysely<Database>,
  table: Table,
  column: Column<Table>,
  personId: string,
  ...order: Column<Table>[]
): Promise<Selectable<Database[Table]>[]> {
  const inOrder = order.length > 0 ? sql`order by ${sql.join(order.map((one) => sql.ref(one)))}` : sql``;
  const { rows } = await sql<Selectable<Database[Table]>>`
    select * from ${sql.table(table)} where ${sql.ref(column)} = ${personId} ${inOrder}`.execute(db);
  return rows;
}
