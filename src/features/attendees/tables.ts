import type { Selectable } from 'kysely';
import type { GuestState } from './contract.ts';

export interface SessionGuestsTable {
  id: string;
  appointment_id: string;
  /** Entered by the client; replaced by the guest's own choice on acceptance. */
  name: string;
  /** The client's; deleted 30 days after the session. */
  email: string | null;
  /** SHA-256 of the link token; null until the email is written. */
  token_hash: string | null;
  told_start: Date | null;
  state: GuestState;
  /** Set on acceptance; kept after leaving or withdrawal. */
  person_id: string | null;
  invited_at: Date;
  sends: number;
  sent_at: Date;
  answered_at: Date | null;
}

export interface SessionConsentsTable {
  appointment_id: string;
  person_id: string;
  agreed_at: Date;
}

export type SessionGuest = Selectable<SessionGuestsTable>;

declare module '#/platform/context.ts' {
  interface Database {
    session_guests: SessionGuestsTable;
    session_consents: SessionConsentsTable;
  }
}
