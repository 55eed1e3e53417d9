/** A trigger writes these, without the provider's id. */
export interface ListingChangesTable {
  at: Date;
  /** 1 or -1. */
  change: number;
}

declare module '#/platform/context.ts' {
  interface Database {
    listing_changes: ListingChangesTable;
  }
}
