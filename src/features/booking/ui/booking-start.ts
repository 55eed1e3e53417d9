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
