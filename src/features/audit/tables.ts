import type { Insertable } from 'kysely';

/** A line of the append-only log; the spec's audit entry. */
export interface AuditEntriesTable {
  id: string;
  at: Date;
  actor_kind: 'person' | 'guest' | 'job' | 'system';
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  category: AuditCategory;
  subject_kind: string | null;
  subject_id: string | null;
  /** JSON text: ids and closed words only, nothing that a person wrote. */
  details: unknown;
  address: string | null;
  request_id: string;
  success: boolean;
}

/** The five categories of the administrator spec, section 4; bookings are filed under `service_management`. */
export type AuditCategory =
  'user_management' | 'provider_approval' | 'system_settings' | 'security' | 'service_management';

export type NewAuditEntry = Insertable<AuditEntriesTable>;

declare module '#/platform/db/database.ts' {
  interface Database {
    audit_entries: AuditEntriesTable;
  }
}
