import type { Generated } from 'kysely';

/** A change of an account's address by an administrator that can still be undone or confirmed. */
export interface AddressChangesTable {
  id: string;
  /** Later changes of one account are undone with an earlier one. */
  position: Generated<number>;
  user_id: string;
  former_address: string;
  /** SHA-256 of the token that was mailed there; null where nobody had shown that the address was theirs. */
  token: string | null;
  changed_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    address_changes: AddressChangesTable;
  }
}
