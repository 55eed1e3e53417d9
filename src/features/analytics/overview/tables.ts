/** A specialist came into the directory or left it; the database writes it, without whose it was. */
export interface ListingChangesTable {
  at: Date;
  /** 1 or -1. */
  change: number;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    listing_changes: ListingChangesTable;
  }
}
