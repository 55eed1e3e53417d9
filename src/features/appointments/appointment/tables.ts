import type { Generated, Selectable } from 'kysely';
import type { AppointmentStatus, AppointmentView, Recurrence } from './contract.ts';

export interface BookingsTable {
  id: string;
  client_id: string;
  idempotency_key: string;
  /** SHA-256 of the request; detects key reuse. */
  fingerprint: string;
  recurrence: Recurrence;
  created_at: Date;
}

/** The exclusion constraint reserves until `blocked_until`. */
export interface AppointmentsTable {
  id: string;
  booking_id: string;
  series_index: number;
  series_count: number;
  client_id: string;
  provider_id: string;
  service_id: string;
  status: AppointmentStatus;
  kind: AppointmentView['kind'];
  session_type: AppointmentView['sessionType'];
  /** In-person location; null if the parties arrange it. */
  place_id: string | null;
  starts_at: Date;
  ends_at: Date;
  blocked_until: Date;
  /** Start date in the provider's time zone. */
  local_date: string;
  price_cents: number;
  contact_name: string;
  contact_email: string;
  contact_phone: string | null;
  client_time_zone: string;
  sequence: number;
  reminder_minutes: number;
  cancelled_by: string | null;
  /** Plaintext, written only by earlier releases. */
  cancel_reason: string | null;
  sealed_cancel_reason: string | null;
  /** Administrator's reason; plaintext, as above. */
  moved_reason: string | null;
  sealed_moved_reason: string | null;
  /** Canceled automatically: still unanswered at its start. */
  expired: Generated<boolean>;
  created_at: Date;
  updated_at: Date;
}

/** Reserves each participant's time while the appointment is pending or confirmed. */
export interface ParticipantsTable {
  appointment_id: string;
  person_id: string;
  starts_at: Date;
  ends_at: Date;
  held: boolean;
}

/** One person's reminder. The row decides; its job is only a timer. */
export interface RemindersTable {
  id: string;
  appointment_id: string;
  person_id: string;
  kind: 'own' | 'site';
  due_at: Date;
  queued_at: Date | null;
  sent_at: Date | null;
}

export type Appointment = Selectable<AppointmentsTable>;

interface CalendarFeedsTable {
  person_id: string;
  token_hash: string;
  made_at: Date;
  read_at: Date | null;
}

interface SeriesChangesTable {
  person_id: string;
  idempotency_key: string;
  /** SHA-256 of the request; detects key reuse. */
  fingerprint: string;
  created_at: Date;
}

declare module '#/platform/context.ts' {
  interface Database {
    bookings: BookingsTable;
    appointments: AppointmentsTable;
    participants: ParticipantsTable;
    reminders: RemindersTable;
    calendar_feeds: CalendarFeedsTable;
    series_changes: SeriesChangesTable;
  }
}
