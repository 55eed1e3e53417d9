import type { Generated } from 'kysely';
import type { FaithPart, SessionType } from './contract.ts';
import type { CredentialKind, CredentialState } from './credentials/contract.ts';

export interface ProvidersTable {
  id: string;
  /** Page path: `/therapists/{slug}`. */
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
  traditions: Generated<string[]>;
  faith_part: Generated<FaithPart>;
  session_types: Generated<SessionType[]>;
  /** Minutes; null: all service lengths. */
  session_lengths: number[] | null;
  /** Booking terms; null: site default. */
  buffer_minutes: number | null;
  notice_hours: number | null;
  daily_maximum: number | null;
  rest_kind: Generated<'none' | 'sunday' | 'sabbath'>;
  /** Location for sunset times; without its own time zone, the provider's applies. */
  rest_place: string | null;
  rest_latitude: number | null;
  rest_longitude: number | null;
  rest_time_zone: string | null;
  /** Incremented by saving hours, terms or rest. */
  availability_version: Generated<number>;
  phone: string | null;
  /** Offered on each weekday, Monday first; kept by triggers on `weekly_hours`. */
  weekly_minutes: Generated<number[]>;
  time_zone: string;
  approves_first: Generated<boolean>;
  listed: Generated<boolean>;
  /** Previous `listed` value while the account can't be listed (`followAccount`); otherwise null. */
  listed_before_deletion: boolean | null;
  position: Generated<number>;
  rating_sum: Generated<number>;
  rating_count: Generated<number>;
  created_at: Generated<Date>;
  /** Incremented by each edit the provider makes. */
  version: Generated<number>;
  /** Last valid day of the license or ordination; null: never expires or unknown. */
  licensed_until: string | null;
  /** `licensed_until` values already announced as expiring and as expired. */
  expiry_announced: string | null;
  expiry_told: string | null;
  /** Set when an administrator revokes approval. */
  approval_revoked_at: Date | null;
  approval_revoked_reason: string | null;
}

export interface ProviderCredentialsTable {
  id: string;
  provider_id: string;
  kind: CredentialKind;
  number: string;
  issuer: string;
  region: string;
  /** Last valid day. */
  expires_on: string | null;
  replaces: string | null;
  state: Generated<CredentialState | 'replaced'>;
  reason: string | null;
  submitted_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
}

export interface PlacesTable {
  id: string;
  provider_id: string;
  name: string;
  address: string;
  /** Directory filter value, such as `Chicago, IL`. */
  town: string;
  directions: Generated<string>;
  latitude: number | null;
  longitude: number | null;
  position: Generated<number>;
  closed: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface ProviderServicesTable {
  provider_id: string;
  service_id: string;
}

/** Immutable after submission, apart from the decision. */
export interface ProviderApplicationsTable {
  id: string;
  person_id: string;
  kind: 'doctor' | 'pastor';
  full_name: string;
  /** Empty: none. */
  phone: string;
  specialization: string;
  experience: string;
  education: string[];
  location: string;
  time_zone: string;
  bio: string;
  languages: string[];
  service_ids: string[];
  credential_kind: CredentialKind;
  credential_number: string;
  credential_issuer: string;
  credential_region: string;
  /** Last valid day. */
  credential_expires_on: string | null;
  status: Generated<'pending' | 'approved' | 'rejected'>;
  reason: string | null;
  submitted_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
}

/** `id` is also the stored file's. */
export interface ApplicationDocumentsTable {
  id: string;
  person_id: string;
  /** Null until submitted. */
  application_id: string | null;
  /** Sealed. */
  name: string;
  uploaded_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    providers: ProvidersTable;
    provider_services: ProviderServicesTable;
    places: PlacesTable;
    provider_credentials: ProviderCredentialsTable;
    provider_applications: ProviderApplicationsTable;
    application_documents: ApplicationDocumentsTable;
  }
}
