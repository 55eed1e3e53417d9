import type { Generated } from 'kysely';
import type { ExportState } from './contract.ts';

/** An archive with everything that an account holds: on its way, there, or gone again. */
export interface ExportsTable {
  id: string;
  person_id: string;
  state: ExportState;
  /** Percent of its parts that are in the archive. */
  progress: Generated<number>;
  /** The archive's file, while it is there. */
  file_id: string | null;
  requested_at: Date;
  finished_at: Date | null;
  expires_at: Date | null;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    exports: ExportsTable;
  }
}
