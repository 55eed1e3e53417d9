import type { Generated } from 'kysely';

/** Base data has 366 days; administrators never delete them. */
interface DevotionalsTable {
  /** MM-DD. */
  day: string;
  reference: string;
  text: string;
  title: string;
  thought: string;
  prayer: string;
  version: Generated<number>;
  edited_at: Date | null;
  edited_by: string | null;
}

declare module '#/platform/context.ts' {
  interface Database {
    devotionals: DevotionalsTable;
  }
}
