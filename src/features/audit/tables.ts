import type { Generated, Insertable } from 'kysely';
import type { Actor } from '#/kernel/actor.ts';
import type { AuditCategory } from './actions/rules.ts';

export interface AuditEntriesTable {
  id: string;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  /** Job name; null for people. */
  actor_name: string | null;
  action: string;
  category: AuditCategory;
  subject_kind: string | null;
  subject_id: string | null;
  /** Ids and fixed words only, no user text. */
  details: unknown;
  request_id: string;
  success: boolean;
  /** Salted IP address hash, covered by the chain. */
  address_mark: Buffer | null;
  /** Generated: entry text without ids, dates and numbers. */
  kind: Generated<string>;
}

/** Deleted with the account. */
interface AuditPersonalTable {
  entry_id: string;
  address: string;
  salt: Buffer | null;
}

/** People with erased IP addresses. */
interface AuditErasedTable {
  person_id: string;
}

interface AuditSealsTable {
  seq: number;
  entry_id: string;
  digest: Buffer;
  hash: Buffer;
  anchor: string | null;
  version: Generated<number>;
}

interface AuditUnsealedTable {
  at: Date;
  entry_id: string;
}

interface AuditDaysTable {
  day: string;
  category: AuditCategory;
  success: boolean;
  entries: number;
}

interface AuditActorsTable {
  actor_id: string;
  first_at: Date;
  last_at: Date;
}

/** One sample per kind of sealed entry. */
interface AuditKindsTable {
  kind: string;
  category: AuditCategory;
  actor_kind: Actor['kind'];
  actor_name: string | null;
  action: string;
  subject_kind: string | null;
  details: unknown;
}

interface AuditChecksTable {
  checked_at: Date;
  entries: number;
  /** The first break; null if intact. */
  broken: unknown;
}

export type NewAuditEntry = Insertable<AuditEntriesTable>;

declare module '#/platform/context.ts' {
  interface Database {
    audit_entries: AuditEntriesTable;
    audit_personal: AuditPersonalTable;
    audit_erased: AuditErasedTable;
    audit_seals: AuditSealsTable;
    audit_unsealed: AuditUnsealedTable;
    audit_days: AuditDaysTable;
    audit_actors: AuditActorsTable;
    audit_kinds: AuditKindsTable;
    audit_checks: AuditChecksTable;
  }
}
