import type { Generated } from 'kysely';

/** Private to its author. */
export interface JournalEntriesTable {
  id: string;
  person_id: string;
  /** Encrypted by the author's key, then the server's. */
  title: string | null;
  /** Like the title. */
  text: string;
  /** From 1 (heavy) to 5 (light). */
  mood: number | null;
  /** In the person's time zone. */
  entry_date: string;
  created_at: Date;
  updated_at: Date;
  version: Generated<number>;
  /** False if only the server encrypted the text, in an earlier release. */
  by_author: Generated<boolean>;
}

declare module '#/platform/context.ts' {
  interface Database {
    journal_entries: JournalEntriesTable;
  }
}
