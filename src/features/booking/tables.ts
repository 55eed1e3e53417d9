import type { Generated, Selectable } from 'kysely';
import type { AppointmentStatus, AppointmentView, Recurrence } from './contract.ts';

/** One request of a client: a single session or a whole series. */
export interface BookingsTable {
  id: string;
  client_id: string;
  idempotency_key: string;
  /** SHA-256 of the request, so that a key used again for something else is refused. */
  fingerprint: string;
  recurrence: Recurrence;
  created_at: Date;
}

/** One session of a booking. The exclusion constraint holds the provider's time until `blocked_until`. */
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
  /** Where a session in person is held; null: as the two arrange it. */
  place_id: string | null;
  starts_at: Date;
  ends_at: Date;
  blocked_until: Date;
  /** The date of the start in the provider's zone. */
  local_date: string;
  price_cents: number;
  contact_name: string;
  contact_email: string;
  contact_phone: string | null;
  client_time_zone: string;
  sequence: number;
  reminder_minutes: number;
  cancelled_by: string | null;
  /** In the clear; only what an earlier release has written. */
  cancel_reason: string | null;
  sealed_cancel_reason: string | null;
  /** Why an administrator moved it to where it is; the same. */
  moved_reason: string | null;
  sealed_moved_reason: string | null;
  /** Cancelled because nobody answered it until its start. */
  expired: Generated<boolean>;
  created_at: Date;
  updated_at: Date;
}

/** Who takes part holds the time, as long as the appointment is pending or confirmed. */
export interface ParticipantsTable {
  appointment_id: string;
  person_id: string;
  starts_at: Date;
  ends_at: Date;
  held: boolean;
}

/** A reminder to one person; its job is only the alarm clock. */
export interface RemindersTable {
  id: string;
  appointment_id: string;
  person_id: string;
  kind: 'own' | 'site';
  due_at: Date;
  sent_at: Date | null;
}

export type Appointment = Selectable<AppointmentsTable>;

declare module '#/platform/db/database.ts' {
  interface Database {
    bookings: BookingsTable;
    appointments: AppointmentsTable;
    participants: ParticipantsTable;
    reminders: RemindersTable;
  }
}
