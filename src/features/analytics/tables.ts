/** A trigger writes these, without the provider's id. */
export interface ListingChangesTable {
  at: Date;
  /** 1 or -1. */
  change: number;
}

export interface SessionCountsTable {
  starts_at: Date;
  sessions: number;
  minutes: number;
  /** Includes everything except canceled appointments. */
  booked_minutes: number;
}

/** UTC totals of `session_counts`, kept by triggers. */
export interface SessionDaysTable {
  day: string;
  sessions: number;
  minutes: number;
  booked_minutes: number;
}

/** Start times to recount; a trigger adds them. */
export interface SessionCountsChangedTable {
  starts_at: Date;
}

/** Changes of totals, appended by triggers. */
export interface TalliesTable {
  /** Profiles that aren't erased. */
  accounts: number;
  listed: number;
  /** Of listed specialists, Monday first. */
  weekly_minutes: number[];
}

declare module '#/platform/context.ts' {
  interface Database {
    listing_changes: ListingChangesTable;
    session_counts: SessionCountsTable;
    session_days: SessionDaysTable;
    session_counts_changed: SessionCountsChangedTable;
    tallies: TalliesTable;
  }
}
