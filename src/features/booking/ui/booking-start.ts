import type { SessionType } from '#/features/providers/contract.ts';

/** Whom and what a booking begins with; the dialog asks for what is missing. */
export interface BookingStart {
  providerId?: string;
  serviceId?: string;
  /** A free start that was chosen already, for a session of this length. */
  startsAt?: string;
  durationMinutes?: number;
  sessionType?: SessionType;
}

/** What was pressed. Each opening has its own number, so that a dialog never begins with what another has left. */
export interface Opening extends BookingStart {
  opening: number;
  /** Without an account. */
  asGuest: boolean;
}
