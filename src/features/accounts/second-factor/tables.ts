import type { Generated } from 'kysely';

export interface SecondFactorsTable {
  id: string;
  user_id: string;
  /** Encrypted Base32. */
  secret: string;
  /** Makes each code work only once (RFC 6238, section 5.2). */
  last_counter: Generated<number>;
  /** Null until a first code proves the app has the secret. */
  confirmed_at: Date | null;
  created_at: Date;
}

export interface BackupCodesTable {
  id: string;
  factor_id: string;
  digest: string;
  used_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    second_factors: SecondFactorsTable;
    backup_codes: BackupCodesTable;
  }
}
