import type { ColumnType, Generated } from 'kysely';
import type { LengthPrice } from './contract.ts';
import type { ServiceCategory } from './rules.ts';

/** Six in base data; administrators add more. */
export interface ServicesTable {
  id: string;
  position: number;
  title: string;
  category: ServiceCategory;
  description: string;
  based_on: string;
  support_offered: string;
  issues_addressed: string[];
  /** JSON text. Quotes are from the World English Bible. */
  spiritual_themes: ColumnType<{ verse: string; quote: string }[], string>;
  related_resources: Generated<string[]>;
  duration_minutes: number;
  price_cents: number;
  /** JSON text. */
  length_prices: ColumnType<LengthPrice[], string | undefined, string>;
  active: Generated<boolean>;
  created_at: Generated<Date>;
  /** Increases with every change. */
  version: Generated<number>;
}

declare module '#/platform/context.ts' {
  interface Database {
    services: ServicesTable;
  }
}
