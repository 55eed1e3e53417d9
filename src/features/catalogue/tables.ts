import type { ColumnType, Generated } from 'kysely';
import type { LengthPrice, ServiceCategory } from './contract.ts';

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
  /** Written as JSON text. */
  length_prices: ColumnType<LengthPrice[], string | undefined, string>;
  active: Generated<boolean>;
  created_at: Generated<Date>;
  /** Rises with every change. */
  version: Generated<number>;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    services: ServicesTable;
  }
}
