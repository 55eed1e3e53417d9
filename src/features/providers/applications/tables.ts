import type { Generated } from 'kysely';
import type { CredentialKind } from '../credentials/contract.ts';

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
    provider_applications: ProviderApplicationsTable;
    application_documents: ApplicationDocumentsTable;
  }
}
