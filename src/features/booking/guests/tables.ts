import type { Selectable } from 'kysely';
import type { GuestState } from './contract.ts';

/** Whom the client of a session asks to come too. */
export interface SessionGuestsTable {
  id: string;
  appointment_id: string;
  /** As the client typed it; once accepted, as the guest wants to be read by the others. */
  name: string;
  /** As the client typed it; gone 30 days after the session. */
  email: string | null;
  /** SHA-256 of the token in the invitation's link; null until its mail is written. */
  token_hash: string | null;
  /** The session's start as that mail named it. */
  told_start: Date | null;
  state: GuestState;
  /** Who accepted; also who accepted once and left, or was withdrawn. */
  person_id: string | null;
  invited_at: Date;
  /** How often the invitation was asked to be mailed. */
  sends: number;
  sent_at: Date;
  answered_at: Date | null;
}

/** Who agreed that what is said in a session stays there. */
export interface SessionConsentsTable {
  appointment_id: string;
  person_id: string;
  agreed_at: Date;
}

export type SessionGuest = Selectable<SessionGuestsTable>;

declare module '#/platform/db/database.ts' {
  interface Database {
    session_guests: SessionGuestsTable;
    session_consents: SessionConsentsTable;
  }
}
