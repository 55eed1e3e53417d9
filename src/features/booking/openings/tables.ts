import type { Generated } from 'kysely';

/** An instant before which a specialist has nothing free; too early at worst, never too late. */
export interface OpeningsTable {
  provider_id: string;
  /** 15, 30, 60 or 90: it holds for sessions of this length and longer ones. */
  minutes: number;
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
