import type { Generated } from 'kysely';

/**
 * Next morning email times per person. Database triggers set `stale` when preferences or time zone change; the next run
 * replans the row.
 */
export interface MorningsTable {
  person_id: string;
  stale: Generated<boolean>;
  devotional_at: Date | null;
  community_at: Date | null;
  /** Works published later are news. */
  community_from: Date | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    mornings: MorningsTable;
  }
}
