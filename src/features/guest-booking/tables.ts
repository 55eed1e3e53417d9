import type { ColumnType, Selectable } from 'kysely';
import type { AskInput } from './contract.ts';

/** A guest's booking request; reserves nothing. */
export interface BookingRequestsTable {
  /** Also the request's idempotency key. */
  id: string;
  /** SHA-256 of the link token; null until the email is written. */
  token_hash: string | null;
  /** Lowercase; null once booked. */
  email: string | null;
  /** Plaintext, written only by earlier releases. */
  input: ColumnType<AskInput | null, string | undefined, null>;
  /** Encrypted JSON; null once booked. */
  sealed_input: string | null;
  created_at: Date;
  expires_at: Date;
  booking_id: string | null;
}

export type StoredRequest = Selectable<BookingRequestsTable>;

declare module '#/platform/context.ts' {
  interface Database {
    booking_requests: BookingRequestsTable;
  }
}
