import type { SessionType } from '#/features/providers/contract.ts';

export interface BookingStart {
  providerId?: string;
  serviceId?: string;
  startsAt?: string;
  durationMinutes?: number;
  sessionType?: SessionType;
}

/** Numbered so new dialogs never inherit earlier state. */
export interface Opening extends BookingStart {
  opening: number;
  asGuest: boolean;
}
