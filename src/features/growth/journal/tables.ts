/** Private to its author. */
export interface JournalEntriesTable {
  id: string;
  person_id: string;
  /** Encrypted. */
  title: string | null;
  /** Encrypted. */
  text: string;
  /** From 1 (heavy) to 5 (light). */
  mood: number | null;
  /** In the person's time zone. */
  entry_date: string;
  created_at: Date;
  updated_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    journal_entries: JournalEntriesTable;
  }
}
