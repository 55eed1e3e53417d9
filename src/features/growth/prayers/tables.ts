import type { PrayerAudience, PrayerState } from './contract.ts';

export interface PrayerRequestsTable {
  id: string;
  client_id: string;
  /** Encrypted. */
  text: string;
  audience: PrayerAudience;
  /** Null for all pastors, or if the counselor's account was deleted. */
  provider_id: string | null;
  show_name: boolean;
  state: PrayerState;
  created_at: Date;
  updated_at: Date;
}

export interface PrayerAnswersTable {
  id: string;
  request_id: string;
  person_id: string;
  /** Encrypted. */
  note: string | null;
  prayed_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    prayer_requests: PrayerRequestsTable;
    prayer_answers: PrayerAnswersTable;
  }
}
