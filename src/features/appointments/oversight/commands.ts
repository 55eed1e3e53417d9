import { recordView } from '#/features/audit/commands.ts';
import type { Ctx } from '#/platform/context.ts';
import type { OpenedAppointment, PersonAppointments } from '../contract.ts';
import { appointmentsOfPerson, openedAppointment } from './queries.ts';

/** Returns an appointment and logs the access. */
export async function openAppointment(ctx: Ctx, appointmentId: string): Promise<OpenedAppointment> {
  const opened = await openedAppointment(ctx, appointmentId);
  await recordView(ctx, { action: 'booking.viewed', subject: { kind: 'appointment', id: appointmentId } });
  return opened;
}

/** Returns a person's next and latest appointments and logs the access. */
export async function viewPersonAppointments(ctx: Ctx, personId: string): Promise<PersonAppointments> {
  const found = await appointmentsOfPerson(ctx, personId);
  await recordView(ctx, { action: 'booking.searched', subject: { kind: 'person', id: personId } });
  return found;
}
