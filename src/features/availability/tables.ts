import type { ColumnType, Generated } from 'kysely';
import type { WallWindow } from './rules.ts';

/** ISO weekday, `HH:MM` in the provider's time zone. */
export interface WeeklyHoursTable {
  provider_id: string;
  weekday: number;
  from_time: string;
  to_time: string;
  place_id: string | null;
}

/** No windows means a day off. */
export interface DateExceptionsTable {
  provider_id: string;
  date: string;
  /** JSON text. Null opts out of the holiday. */
  windows: ColumnType<WallWindow[] | null, string | undefined, string | null>;
  note: Generated<string>;
  /** Null for the provider's own override. */
  holiday: string | null;
}

/** Stored as overrides up to `filled_until`. */
export interface KeptHolidaysTable {
  provider_id: string;
  region: string;
  names: string[];
  filled_until: string;
}

export interface TimeBlocksTable {
  id: string;
  provider_id: string;
  starts_at: Date;
  ends_at: Date;
  note: Generated<string>;
  created_at: Date;
}

export interface CitiesTable {
  name: string;
  region: string;
  country: string;
  /** Lowercase name without accents, for search. */
  search: string;
  latitude: number;
  longitude: number;
  time_zone: string;
  population: number;
}

declare module '#/platform/context.ts' {
  interface Database {
    weekly_hours: WeeklyHoursTable;
    date_exceptions: DateExceptionsTable;
    kept_holidays: KeptHolidaysTable;
    time_blocks: TimeBlocksTable;
    cities: CitiesTable;
  }
}
