import type { PrayerAudience, PrayerState } from './contract.ts';

/** What a client asks prayer for. */
export interface PrayerRequestsTable {
  id: string;
  client_id: string;
  /** Sealed. */
  text: string;
  audience: PrayerAudience;
  /** The one counsellor who is asked; null where all pastors are, or where that counsellor is gone. */
  provider_id: string | null;
  show_name: boolean;
  state: PrayerState;
  created_at: Date;
  updated_at: Date;
}

/** That somebody prayed. */
export interface PrayerAnswersTable {
  id: string;
  request_id: string;
  person_id: string;
  /** Sealed. */
  note: string | null;
  prayed_at: Date;
}

declare module '#/platform/db/database.ts' {
  interface Database {
    prayer_requests: PrayerRequestsTable;
    prayer_answers: PrayerAnswersTable;
  }
}
