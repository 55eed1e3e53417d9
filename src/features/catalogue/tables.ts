import type { ColumnType, Generated } from 'kysely';

/** A service of the catalogue; base data has six, administrators may add others. */
export interface ServicesTable {
  id: string;
  position: number;
  title: string;
  category: ServiceCategory;
  description: string;
  based_on: string;
  support_offered: string;
  issues_addressed: string[];
  /** Written as JSON text; each quote is the World English Bible's. */
  spiritual_themes: ColumnType<{ verse: string; quote: string }[], string>;
  related_resources: Generated<string[]>;
  duration_minutes: number;
  price_cents: number;
  active: Generated<boolean>;
  created_at: Generated<Date>;
}

/** The five categories of the administrator spec, section 5. */
export type ServiceCategory =
  | 'Individual Healing'
  | 'Strengthening Bonds'
  | 'Community Support'
  | 'Spiritual Guidance'
  | 'Crisis Intervention';

declare module '#/platform/db/database.ts' {
  interface Database {
    services: ServicesTable;
  }
}
