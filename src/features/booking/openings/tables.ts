import type { Generated } from 'kysely';

/** The length of a session from which on a stored opening holds, in minutes. */
export type OpeningMinutes = 15 | 30 | 60 | 90;

/** An instant before which a specialist has nothing free for sessions of this length; too early at worst, never too late. */
export interface OpeningsTable {
  provider_id: string;
  minutes: OpeningMinutes;
  /** Of sessions in person alone. */
  in_person: boolean;
  first_free_at: Generated<Date>;
  /** Rises with each lowering, which triggers do in the transaction of whatever frees time. */
  version: Generated<number>;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    openings: OpeningsTable;
  }
}
