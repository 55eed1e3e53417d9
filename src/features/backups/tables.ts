import type { Generated } from 'kysely';
import type { BackupOrigin, BackupReason, BackupState } from './contract.ts';

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
  /** Files whose content was already missing. */
  missing_files: Generated<number>;
  bytes: Generated<number>;
  checksum: string | null;
  file_name: string | null;
  removed_at: Date | null;
  /** The file is still on disk. */
  deletion_requested: Generated<boolean>;
}

declare module '#/platform/context.ts' {
  interface Database {
    backups: BackupsTable;
  }
}
