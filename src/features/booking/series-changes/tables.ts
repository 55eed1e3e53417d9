/** A change of several sessions of a series, kept so that a repeated request doesn't make it twice. */
export interface SeriesChangesTable {
  person_id: string;
  idempotency_key: string;
  /** SHA-256 of the request, so that a key used again for something else is refused. */
  fingerprint: string;
  created_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    series_changes: SeriesChangesTable;
  }
}
