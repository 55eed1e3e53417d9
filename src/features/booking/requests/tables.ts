import type { ColumnType, Selectable } from 'kysely';
import type { AskInput } from './contract.ts';

/** A session that somebody without an account asks for; nothing is held by it. */
export interface BookingRequestsTable {
  /** The idempotency key of its asking. */
  id: string;
  /** SHA-256 of the token in the mailed link; null until its mail is written. */
  token_hash: string | null;
  /** In lower case; null once it is booked. */
  email: string | null;
  /** What was asked for, in the clear; only what an earlier release has written. */
  input: ColumnType<AskInput | null, string | undefined, null>;
  /** The same as JSON, sealed; null once it is booked. */
  sealed_input: string | null;
  created_at: Date;
  /** Until when it can be booked. */
  expires_at: Date;
  booking_id: string | null;
}

export type StoredRequest = Selectable<BookingRequestsTable>;

declare module '#/platform/db/database.ts' {
  interface Database {
    booking_requests: BookingRequestsTable;
  }
}
