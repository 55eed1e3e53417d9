import type { Generated } from 'kysely';

/**
 * When a person who asked for mails in the morning gets the next one. The database marks a row as stale when a choice
 * or a zone changes; the next tick sets its times anew.
 */
export interface MorningsTable {
  person_id: string;
  stale: Generated<boolean>;
  devotional_at: Date | null;
  community_at: Date | null;
  /** What was published after this is news to the person. */
  community_from: Date | null;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    mornings: MorningsTable;
  }
}
