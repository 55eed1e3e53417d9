/** What a person wrote for themselves alone. */
export interface JournalEntriesTable {
  id: string;
  person_id: string;
  /** Sealed. */
  title: string | null;
  /** Sealed. */
  text: string;
  /** From 1, heavy, to 5, light. */
  mood: number | null;
  /** The day that it is about, in the person's zone. */
  entry_date: string;
  created_at: Date;
  updated_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    journal_entries: JournalEntriesTable;
  }
}
