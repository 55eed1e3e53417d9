import type { Generated } from 'kysely';
import type { FaithPart, SessionType } from './contract.ts';
import type { CredentialKind, CredentialState } from './credentials/contract.ts';

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
  /** Minutes; null: every length that the services have. */
  session_lengths: number[] | null;
  /** Own terms, where null is the site's. */
  buffer_minutes: number | null;
  notice_hours: number | null;
  daily_maximum: number | null;
  /** What is kept free of sessions every week. */
  rest_kind: Generated<'none' | 'sunday' | 'sabbath'>;
  /** Where the sun is watched; without a zone of its own it has the provider's. */
  rest_place: string | null;
  rest_latitude: number | null;
  rest_longitude: number | null;
  rest_time_zone: string | null;
  /** Rises with each save of week, terms and rest. */
  availability_version: Generated<number>;
  phone: string | null;
  time_zone: string;
  approves_first: Generated<boolean>;
  listed: Generated<boolean>;
  /** While the account can't stand in the directory (`followAccount`), whether it was listed before; else null. */
  listed_before_deletion: boolean | null;
  position: Generated<number>;
  rating_sum: Generated<number>;
  rating_count: Generated<number>;
  created_at: Generated<Date>;
  /** Rises with each change by the specialist. */
  version: Generated<number>;
  /** The last day on which what licenses or ordains them holds; null without an end, or where nothing is known. */
  licensed_until: string | null;
  /** The last day of which they have been told that it comes, and the one that it is past. */
  expiry_announced: string | null;
  expiry_told: string | null;
  /** When an administrator revoked the approval, and why, in words for the specialist; null while it holds. */
  approval_revoked_at: Date | null;
  approval_revoked_reason: string | null;
}

/** What licenses or ordains a specialist. */
export interface ProviderCredentialsTable {
  id: string;
  provider_id: string;
  kind: CredentialKind;
  number: string;
  issuer: string;
  region: string;
  /** The last day on which it holds. */
  expires_on: string | null;
  /** The approved one that this takes the place of. */
  replaces: string | null;
  state: Generated<CredentialState | 'replaced'>;
  reason: string | null;
  submitted_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
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
    provider_credentials: ProviderCredentialsTable;
  }
}
