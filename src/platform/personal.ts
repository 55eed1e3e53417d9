import type { Ctx, TxCtx } from './context.ts';

/** Rows of one person, by the name of their table, as people can read them: sealed texts opened, no hashes and no keys. */
export interface PersonalRecords {
  tables: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  /** Stored files that belong to them; each goes into the archive under its name. */
  files?: readonly { id: string; name: string }[];
  /** What stands about the person in these tables but isn't given out, each in a sentence, such as a counsellor's private notes. */
  leftOut?: readonly string[];
}

/** One feature's part of what an account holds. */
export interface PersonalPart {
  /** The archive's folder for it, such as `growth`. */
  name: string;
  /** Everything that this feature's tables hold of the person. */
  collect(ctx: Ctx, personId: string): Promise<PersonalRecords>;
  /** Removes it, or takes what names the person out of what has to be kept. */
  erase(tx: TxCtx, personId: string): Promise<void>;
}
