import type { AskForTime } from '#/features/appointments/ui/book-form.ts';
import { BookingOpened } from '#/features/appointments/ui/booking-opened.tsx';
import type { OpenedProps } from '#/features/appointments/ui/booking-start.ts';
import type { BookingParts } from '#/features/appointments/ui/parts.ts';
import { BringOthers } from '#/features/attendees/ui/bring-others.tsx';
import { RequestSentDialog } from '#/features/guest-booking/ui/request-sent-dialog.tsx';
import { api } from '#/web/api.tsx';
import { appointmentParts } from './appointment-parts.ts';

const askForTime: AskForTime = (input, within) => api.guestBooking.ask.call(input, within);

const parts: BookingParts = { ...appointmentParts, askForTime, BringOthers, AskedDialog: RequestSentDialog };

export function BookingDialog(props: OpenedProps) {
  return <BookingOpened {...props} parts={parts} />;
}
