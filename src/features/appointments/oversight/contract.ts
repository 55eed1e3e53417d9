import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { administeredAppointment } from '../administration/contract.ts';
import { instant } from '../appointment/contract.ts';

const openedAppointment = administeredAppointment.extend({
  bookingId: z.uuid(),
  bookedAt: instant,
  clientTimeZone: z.string(),
  /** Meeting place; null if they arrange it themselves. */
  place: z.object({ name: z.string(), address: z.string() }).nullable(),
  /** By email, soonest first. */
  reminders: z.array(
    z.object({ id: z.uuid(), name: z.string(), dueAt: instant, sentAt: instant.nullable() }),
  ),
});

const personAppointments = z.object({
  /** Soonest first. */
  next: z.array(administeredAppointment),
  /** Latest first. */
  recent: z.array(administeredAppointment),
  /** There are more than these. */
  more: z.boolean(),
});

export type OpenedAppointment = z.infer<typeof openedAppointment>;
export type PersonAppointments = z.infer<typeof personAppointments>;

const manage = procedure.meta({ access: ['manage_appointments'] });

/** Administrators' view of an appointment or a person. */
export const oversightContract = {
  appointment: manage
    .meta({
      writes: ['booking.viewed service_management appointment'],
      example: ({ appointmentId }) => ({ appointmentId }),
    })
    .route({ method: 'GET', path: '/admin/appointments/{appointmentId}' })
    .input(z.object({ appointmentId: z.uuid() }))
    .output(openedAppointment),
  /** A person's next and latest appointments. */
  person: manage
    .meta({
      writes: ['booking.searched service_management person'],
      example: ({ clientId }) => ({ personId: clientId }),
    })
    .route({ method: 'GET', path: '/admin/people/{personId}/appointments' })
    .input(z.object({ personId: z.uuid() }))
    .output(personAppointments),
};
