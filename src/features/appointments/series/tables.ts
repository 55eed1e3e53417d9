export interface SeriesChangesTable {
  person_id: string;
  idempotency_key: string;
  /** SHA-256 of the request; detects key reuse. */
  fingerprint: string;
  created_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    series_changes: SeriesChangesTable;
  }
}
