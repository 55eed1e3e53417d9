import type { Selectable } from 'kysely';
import type { AppointmentsTable } from '../tables.ts';
import type { DayPart } from './contract.ts';

/** A client who waits for an earlier time with a provider. */
export interface WaitsTable {
  id: string;
  client_id: string;
  provider_id: string;
  service_id: string;
  /** What is moved once a time is taken; null: a time that is taken is booked, and then stands here. */
  appointment_id: string | null;
  duration_minutes: number;
  session_type: AppointmentsTable['session_type'];
  /** `YYYY-MM-DD` by the clock of `time_zone`, as are weekdays and parts of the day. */
  until_date: string;
  weekdays: number[];
  day_parts: DayPart[];
  time_zone: string;
  state: 'waiting' | 'taken' | 'given_up' | 'over';
  /** The place in the line. */
  asked_at: Date;
  ended_at: Date | null;
}

/** A time that opened, as it was offered to one who waits. It holds nothing. */
export interface WaitOffersTable {
  id: string;
  wait_id: string;
  starts_at: Date;
  offered_at: Date;
  /** Until then nobody else who waits is offered this time. */
  deadline: Date;
  state: 'open' | 'taken' | 'gone' | 'passed';
}

export type Wait = Selectable<WaitsTable>;
export type WaitOffer = Selectable<WaitOffersTable>;

declare module '#/platform/db/database.ts' {
  interface Database {
    waits: WaitsTable;
    wait_offers: WaitOffersTable;
  }
}
