import type { Generated } from 'kysely';
import type { BackupOrigin, BackupReason, BackupState } from './contract.ts';

/** What was backed up, by whom, and how it ended. */
export interface BackupsTable {
  id: string;
  requested_at: Date;
  origin: BackupOrigin;
  requested_by: string | null;
  state: BackupState;
  started_at: Date | null;
  finished_at: Date | null;
  reason: BackupReason | null;
  rows: Generated<number>;
  files: Generated<number>;
  /** Those whose bytes were missing already. */
  missing_files: Generated<number>;
  /** What the backup's own file takes. */
  bytes: Generated<number>;
  /** SHA-256 of that file. */
  checksum: string | null;
  file_name: string | null;
  /** When it made room for newer ones, or somebody deleted it. */
  removed_at: Date | null;
  /** Somebody deleted it, and its file is still to go. */
  deletion_requested: Generated<boolean>;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    backups: BackupsTable;
  }
}
