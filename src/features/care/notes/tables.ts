/** A note by a provider about a client, or about one session with them. */
interface NotesTable {
  id: string;
  provider_id: string;
  client_id: string;
  appointment_id: string | null;
  /** Sealed. */
  text: string;
  written_at: Date;
  /** When its words were changed last; null as long as they are the first. */
  changed_at: Date | null;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    /** The record of care. */
    session_notes: NotesTable;
    /** Psychotherapy and pastoral notes, sealed with a keyring of their own. */
    private_notes: NotesTable;
  }
}
