import type { Generated } from 'kysely';

/** Lower bound on a specialist's first free time: may be too early, never too late. */
export interface OpeningsTable {
  provider_id: string;
  /** Covers sessions of this length and longer: 15, 30, 60 or 90. */
  minutes: number;
  in_person: boolean;
  first_free_at: Generated<Date>;
  /** Incremented by triggers whenever a transaction frees time and lowers the bound. */
  version: Generated<number>;
}

declare module '#/platform/context.ts' {
  interface Database {
    openings: OpeningsTable;
  }
}
