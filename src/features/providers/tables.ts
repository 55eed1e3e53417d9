import type { Generated } from 'kysely';

/** A doctor or pastor of the directory; the id is their account's. */
export interface ProvidersTable {
  id: string;
  kind: 'doctor' | 'pastor';
  title: string;
  specialties: string[];
  experience: string;
  location: string;
  bio: string;
  education: Generated<string[]>;
  approach: Generated<string>;
  languages: Generated<string[]>;
  phone: string | null;
  time_zone: string;
  approves_first: Generated<boolean>;
  listed: Generated<boolean>;
  /** While the account's deletion is under way, whether it was listed before; else null. */
  listed_before_deletion: boolean | null;
  position: Generated<number>;
  rating_sum: Generated<number>;
  rating_count: Generated<number>;
  created_at: Generated<Date>;
}

/** Which provider offers which service. */
export interface ProviderServicesTable {
  provider_id: string;
  service_id: string;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    providers: ProvidersTable;
    provider_services: ProviderServicesTable;
  }
}
