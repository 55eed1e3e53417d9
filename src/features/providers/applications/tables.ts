import type { Generated } from 'kysely';
import type { CredentialKind } from '../credentials/contract.ts';

/** Who asks to become a specialist; what they say of themselves doesn't change once it is sent. */
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
  /** The last day on which it holds. */
  credential_expires_on: string | null;
  status: Generated<'pending' | 'approved' | 'rejected'>;
  reason: string | null;
  submitted_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
}

/** A document of an application; its own row is the stored file's of the same id. */
export interface ApplicationDocumentsTable {
  id: string;
  person_id: string;
  /** Null until the application is sent. */
  application_id: string | null;
  /** Sealed. */
  name: string;
  uploaded_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    provider_applications: ProviderApplicationsTable;
    application_documents: ApplicationDocumentsTable;
  }
}
