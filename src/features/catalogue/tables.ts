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

/** A client's rating after a session, with or without words; those that are featured stand on the landing page. */
export interface TestimonialsTable {
  id: string;
  service_id: string;
  provider_id: string | null;
  author_name: string;
  author_location: string;
  rating: number;
  text: string | null;
  featured: Generated<boolean>;
  created_at: Date;
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
    testimonials: TestimonialsTable;
  }
}
