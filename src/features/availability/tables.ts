import type { ColumnType, Generated } from 'kysely';
import type { WallWindow } from './rules.ts';

/** Hours that return every week on an ISO weekday, `HH:MM` on the provider's wall clock. */
export interface WeeklyHoursTable {
  provider_id: string;
  weekday: number;
  from_time: string;
  to_time: string;
  /** Where sessions in person are held. */
  place_id: string | null;
}

/** A date (`YYYY-MM-DD`) that has hours of its own; without windows it is a day off. */
export interface DateExceptionsTable {
  provider_id: string;
  date: string;
  /** Written as JSON text. Null: the weekly hours as ever, which keeps the holiday away. */
  windows: ColumnType<WallWindow[] | null, string | undefined, string | null>;
  note: Generated<string>;
  /** The name of the holiday that the date was taken off for; null: the provider said so themselves. */
  holiday: string | null;
}

/** The holidays that a provider keeps, by name; their dates stand among the exceptions, up to `filled_until`. */
export interface KeptHolidaysTable {
  provider_id: string;
  region: string;
  names: string[];
  filled_until: string;
}

/** A one-off span in which nothing can be booked. */
export interface TimeBlocksTable {
  id: string;
  provider_id: string;
  starts_at: Date;
  ends_at: Date;
  note: Generated<string>;
  created_at: Date;
}

/** A city of the bundled list; base data. */
export interface CitiesTable {
  name: string;
  region: string;
  country: string;
  /** The name as it is searched by: small letters without accents. */
  search: string;
  latitude: number;
  longitude: number;
  time_zone: string;
  population: number;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    weekly_hours: WeeklyHoursTable;
    date_exceptions: DateExceptionsTable;
    kept_holidays: KeptHolidaysTable;
    time_blocks: TimeBlocksTable;
    cities: CitiesTable;
  }
}
