import type { Ctx, TxCtx } from './context.ts';

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
