import type { Selectable } from 'kysely';
import type { AppointmentsTable } from '#/features/appointments/appointment/tables.ts';
import type { DayPart } from './contract.ts';

export interface WaitsTable {
  id: string;
  client_id: string;
  provider_id: string;
  service_id: string;
  /** Appointment to reschedule; null for a new booking, until one is made. */
  appointment_id: string | null;
  duration_minutes: number;
  session_type: AppointmentsTable['session_type'];
  /** `YYYY-MM-DD` in `time_zone`, like weekdays and day parts. */
  until_date: string;
  weekdays: number[];
  day_parts: DayPart[];
  time_zone: string;
  state: 'waiting' | 'taken' | 'given_up' | 'over';
  /** Determines the position in line. */
  asked_at: Date;
  ended_at: Date | null;
}

/** Reserves nothing. */
export interface WaitOffersTable {
  id: string;
  wait_id: string;
  starts_at: Date;
  offered_at: Date;
  /** Until then, others don't get this offer. */
  deadline: Date;
  state: 'open' | 'taken' | 'gone' | 'passed';
}

export type Wait = Selectable<WaitsTable>;
export type WaitOffer = Selectable<WaitOffersTable>;

declare module '#/platform/context.ts' {
  interface Database {
    waits: WaitsTable;
    wait_offers: WaitOffersTable;
  }
}
