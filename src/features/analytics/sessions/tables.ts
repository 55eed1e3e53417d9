/** The sessions that begin at one moment, as they were counted last. */
export interface SessionCountsTable {
  starts_at: Date;
  /** Confirmed ones and those that took place, and their minutes. */
  sessions: number;
  minutes: number;
  /** Minutes of all that hold or held their time: whatever wasn't cancelled. */
  booked_minutes: number;
}

/** What `session_counts` says of a whole day of UTC; the database adds it up. */
export interface SessionDaysTable {
  day: string;
  sessions: number;
  minutes: number;
  booked_minutes: number;
}

/** A moment whose sessions are to be counted anew; the database writes it with each appointment that changes. */
export interface SessionCountsChangedTable {
  starts_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    session_counts: SessionCountsTable;
    session_days: SessionDaysTable;
    session_counts_changed: SessionCountsChangedTable;
  }
}
