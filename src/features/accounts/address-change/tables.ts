import type { Generated } from 'kysely';

export interface AddressChangesTable {
  id: string;
  /** Undoing a change also undoes later ones. */
  position: Generated<number>;
  user_id: string;
  former_address: string;
  /** SHA-256 of the emailed token; null if the former address was unverified. */
  token: string | null;
  changed_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    address_changes: AddressChangesTable;
  }
}
