export interface CalendarFeedsTable {
  person_id: string;
  token_hash: string;
  made_at: Date;
  read_at: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    calendar_feeds: CalendarFeedsTable;
  }
}
