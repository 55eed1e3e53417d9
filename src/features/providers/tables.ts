import type { Generated } from 'kysely';
import type { FaithPart, SessionType } from './contract.ts';

/** A doctor or pastor of the directory; the id is their account's. */
export interface ProvidersTable {
  id: string;
  /** Their page's address: `/therapists/{slug}`. */
  slug: string;
  kind: 'doctor' | 'pastor';
  title: string;
  specialties: string[];
  experience: string;
  location: string;
  bio: string;
  education: Generated<string[]>;
  approach: Generated<string>;
  languages: Generated<string[]>;
  /** The Christian traditions in which they feel at home. */
  traditions: Generated<string[]>;
  /** How much faith is part of a session. */
  faith_part: Generated<FaithPart>;
  session_types: Generated<SessionType[]>;
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

/** Where a specialist receives people in person. */
export interface PlacesTable {
  id: string;
  provider_id: string;
  name: string;
  address: string;
  /** What the specialists page filters by, such as `Chicago, IL`. */
  town: string;
  /** How to find the door. */
  directions: Generated<string>;
  latitude: number | null;
  longitude: number | null;
  position: Generated<number>;
  /** No new session is booked there. */
  closed: Generated<boolean>;
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
    places: PlacesTable;
  }
}
