import type { Generated } from 'kysely';

interface NotesTable {
  id: string;
  provider_id: string;
  client_id: string;
  appointment_id: string | null;
  /** Encrypted. */
  text: string;
  written_at: Date;
  /** Null if never edited. */
  changed_at: Date | null;
  version: Generated<number>;
}

/** Encrypted with the author's key, then the server's. */
interface PrivateNotesTable extends NotesTable {
  /** False if only the server encrypted the text, in an earlier release. */
  by_author: Generated<boolean>;
}

/** No row: nothing is shared. */
interface SharesTable {
  client_id: string;
  provider_id: string;
  /** Focus areas and tradition. */
  profile: boolean;
  goals: boolean;
  progress: boolean;
  changed_at: Date;
}

interface ClientClaimsTable {
  /** SHA-256 of the token, base64url. */
  token_hash: string;
  person_id: string;
  expires_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    /** Part of the clinical record. */
    session_notes: NotesTable;
    /** Psychotherapy and pastoral notes; separate keyring. */
    private_notes: PrivateNotesTable;
    shares: SharesTable;
    client_claims: ClientClaimsTable;
  }
}
