import type { ColumnType } from 'kysely';
import type { WallWindow } from './rules.ts';

/** Hours that return every week on an ISO weekday, `HH:MM` on the provider's wall clock. */
export interface WeeklyHoursTable {
  provider_id: string;
  weekday: number;
  from_time: string;
  to_time: string;
}

/** A date (`YYYY-MM-DD`) that has hours of its own; without windows it is a day off. */
export interface DateExceptionsTable {
  provider_id: string;
  date: string;
  /** Written as JSON text. */
  windows: ColumnType<WallWindow[], string | undefined, string>;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    weekly_hours: WeeklyHoursTable;
    date_exceptions: DateExceptionsTable;
  }
}
