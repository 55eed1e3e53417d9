import type { ComponentType } from 'react';
import type { SessionType } from '#/features/providers/contract.ts';
import type { AppointmentView } from '../appointment/contract.ts';
import type { AskForTime, BookForm } from './book-form.ts';

interface Opened {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

interface WaitFor {
  provider: { id: string; name: string };
  serviceId: string;
  durationMinutes: number;
  /** The first is preselected. */
  types: readonly SessionType[];
  /** Appointment to reschedule; null for a new booking. */
  appointment: { id: string; startsAt: string } | null;
}

export interface WaitDialogProps extends Opened {
  wanted: WaitFor;
  timeZone: string;
  /** Called if a matching time is already free. */
  onFree: (start: string) => void;
}

export interface RequestSentProps extends Opened {
  form: BookForm;
  sentTo: string;
  onOtherAddress: () => void;
  onOtherTime: () => void;
}

/** Parts that later features add to an appointment; src/app/web provides them. */
export interface AppointmentParts {
  /** Whether this service's client may bring others. */
  isForSeveral: (serviceId: string) => boolean;
  GuestLine: ComponentType<{ appointment: AppointmentView }>;
  GuestDialog: ComponentType<Opened & { appointmentId: string }>;
  WaitDialog: ComponentType<WaitDialogProps>;
}

/** Parts of the booking dialog from later features. */
export interface BookingParts extends AppointmentParts {
  askForTime: AskForTime;
  BringOthers: ComponentType<{ appointment: AppointmentView }>;
  AskedDialog: ComponentType<RequestSentProps>;
}
