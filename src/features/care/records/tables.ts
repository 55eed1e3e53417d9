/** Somebody whom a specialist entered themself, and who hasn't claimed the account that was made for their sessions. */
interface ClientRecordsTable {
  person_id: string;
  provider_id: string;
  idempotency_key: string;
  /** In lower case. */
  email: string | null;
  phone: string | null;
  /** How often an invitation was asked to be mailed to that address, and when last. */
  sends: number;
  sent_at: Date | null;
  /** When the address's owner asked for no more emails. */
  declined_at: Date | null;
  created_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    client_records: ClientRecordsTable;
  }
}
