import type { Generated } from 'kysely';

/** The secret that a person's authenticator app shares. */
export interface SecondFactorsTable {
  id: string;
  user_id: string;
  /** Sealed, in Base32. */
  secret: string;
  /** The counter of the last code that was accepted, so that each works once (RFC 6238, section 5.2). */
  last_counter: Generated<number>;
  /** Null until a first code has shown that the app has the secret. */
  confirmed_at: Date | null;
  created_at: Date;
}

/** A code on paper, for when the app is lost; it works once. */
export interface BackupCodesTable {
  id: string;
  factor_id: string;
  digest: string;
  used_at: Date | null;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    second_factors: SecondFactorsTable;
    backup_codes: BackupCodesTable;
  }
}
