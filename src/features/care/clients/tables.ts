import type { Selectable } from 'kysely';

/** A client without a claimed account. */
interface ClientRecordsTable {
  person_id: string;
  provider_id: string;
  idempotency_key: string;
  /** Lowercase. */
  email: string | null;
  phone: string | null;
  /** Invitations requested for this address. */
  sends: number;
  sent_at: Date | null;
  /** Set only by earlier releases. */
  declined_at: Date | null;
  created_at: Date;
}

interface ClientOptOutsTable {
  provider_id: string;
  address_digest: string;
}

export type StoredRecord = Selectable<ClientRecordsTable>;

declare module '#/platform/context.ts' {
  interface Database {
    client_records: ClientRecordsTable;
    client_opt_outs: ClientOptOutsTable;
  }
}
