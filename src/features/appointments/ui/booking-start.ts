import type { ReactNode } from 'react';
import type { Role } from '#/kernel/actor.ts';
import type { SessionType } from '#/features/providers/contract.ts';

export interface BookingStart {
  providerId?: string;
  serviceId?: string;
  startsAt?: string;
  durationMinutes?: number;
  sessionType?: SessionType;
  /** Stays out of the address. */
  phone?: string | undefined;
  /** Whom to begin with; the dialog offers to change it. */
  usual?: { providerId: string; serviceId: string };
}

/** Numbered so new dialogs never inherit earlier state. */
export interface Opening extends BookingStart {
  opening: number;
  asGuest: boolean;
}

/** Props of the booking dialog. */
export interface OpenedProps {
  role: Role | null;
  refusal: ReactNode;
  start: Opening;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}
