import type { AppointmentParts } from '#/features/appointments/ui/parts.ts';
import { isForSeveral } from '#/features/attendees/rules.ts';
import { GuestLine } from '#/features/attendees/ui/guest-line.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';

export const appointmentParts: AppointmentParts = {
  isForSeveral,
  GuestLine,
  GuestDialog: lazyPart(async () => (await import('#/features/attendees/ui/guest-dialog.tsx')).GuestDialog),
  WaitDialog: lazyPart(async () => (await import('#/features/waitlist/ui/wait-dialog.tsx')).WaitDialog),
};
