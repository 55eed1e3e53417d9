import type { Generated, Insertable } from 'kysely';
import type { Actor } from '#/kernel/actor.ts';
import type { AuditCategory } from './log/rules.ts';

/** A line of the append-only log; the spec's audit entry. */
export interface AuditEntriesTable {
  id: string;
  at: Date;
  actor_kind: Actor['kind'];
  actor_id: string | null;
  /** A job's; persons have none here. */
  actor_name: string | null;
  action: string;
  category: AuditCategory;
  subject_kind: string | null;
  subject_id: string | null;
  /** JSON text: ids and closed words only, nothing that a person wrote. */
  details: unknown;
  request_id: string;
  success: boolean;
  /** A salted hash of the address it came from, which the chain covers; null where it came from none. */
  address_mark: Buffer | null;
  /** All that it says but for ids, dates and numbers, made by the database. */
  kind: Generated<string>;
}

/** Where the person was who made an entry, while their account is there. */
interface AuditPersonalTable {
  entry_id: string;
  address: string;
  /** What the mark of the address is made with; null where the entry has none. */
  salt: Buffer | null;
}

/** Whose account is erased, and with it where their entries came from. */
interface AuditErasedTable {
  person_id: string;
}

/** A link of the chain over the entries. */
interface AuditSealsTable {
  seq: number;
  entry_id: string;
  digest: Buffer;
  hash: Buffer;
  anchor: string | null;
  /** How the digest is made. */
  version: Generated<number>;
}

/** An entry that waits for its seal. */
interface AuditUnsealedTable {
  at: Date;
  entry_id: string;
}

/** How many sealed entries a day of UTC has. */
interface AuditDaysTable {
  day: string;
  category: AuditCategory;
  success: boolean;
  entries: number;
}

/** Who is named by sealed entries as who acted, and from when to when. */
interface AuditActorsTable {
  actor_id: string;
  first_at: Date;
  last_at: Date;
}

/** Each kind of sealed entries, with the words of one of them. */
interface AuditKindsTable {
  kind: string;
  category: AuditCategory;
  actor_kind: Actor['kind'];
  actor_name: string | null;
  action: string;
  subject_kind: string | null;
  details: unknown;
}

/** What the last walk over the whole chain found. */
interface AuditChecksTable {
  checked_at: Date;
  entries: number;
  /** JSON text: the first break, or null where the chain was whole. */
  broken: unknown;
}

export type NewAuditEntry = Insertable<AuditEntriesTable>;

declare module '#/platform/db/database.ts' {
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
