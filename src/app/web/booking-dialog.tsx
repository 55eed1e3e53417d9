import { BookingOpened } from '#/features/appointments/ui/booking-opened.tsx';
import type { OpenedProps } from '#/features/appointments/ui/booking-start.ts';
import type { BookingParts } from '#/features/appointments/ui/parts.ts';
import { BringOthers } from '#/features/attendees/ui/bring-others.tsx';
import { askForTime } from '#/features/guest-booking/ui/ask-for-time.ts';
import { AskedDialog } from '#/features/guest-booking/ui/asked-dialog.tsx';
import { appointmentParts } from './appointment-parts.ts';

const parts: BookingParts = { ...appointmentParts, askForTime, BringOthers, AskedDialog };

export function BookingDialog(props: OpenedProps) {
  return <BookingOpened {...props} parts={parts} />;
}
