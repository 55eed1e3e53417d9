import type { Generated } from 'kysely';
import type { ExportState } from './contract.ts';

export interface ExportsTable {
  id: string;
  person_id: string;
  state: ExportState;
  progress: Generated<number>;
  /** Null before completion and after deletion. */
  file_id: string | null;
  requested_at: Date;
  finished_at: Date | null;
  expires_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    exports: ExportsTable;
  }
}
