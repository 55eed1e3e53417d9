import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { appointmentView, instant } from '#/features/appointments/view/contract.ts';
import { bookForInput, phoneNumber } from '#/features/appointments/input/contract.ts';

export const clientRecord = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Null if never sent to this address. */
  sentAt: instant.nullable(),
  /** The address owner opted out of emails. */
  declined: z.boolean(),
});

export type ClientRecord = z.infer<typeof clientRecord>;

const person = {
  name: line.min(1).max(200),
  email: z.email().max(254).optional(),
  phone: phoneNumber.optional(),
};

const bookNewInput = bookForInput
  .omit({ clientId: true, phone: true })
  /** Email or phone is required. */
  .extend({ client: z.object(person) });

export type BookNewInput = z.infer<typeof bookNewInput>;

const oneClient = z.object({ clientId: z.uuid() });
const changeInput = oneClient.extend(person);

export type ChangeRecordInput = z.infer<typeof changeInput>;

const provider = procedure.meta({ access: ['view_own_clients'] });

export const recordsContract = {
  /**
   * Books for a new client; idempotent per key. Invites the address, if given, without revealing whether it has an
   * account.
   */
  book: procedure
    .meta({
      access: ['manage_own_appointments'],
      writes: [
        'account_created user_management person',
        'care.client_entered service_management person',
        'booking.booked service_management booking',
      ],
      example: ({ id, serviceId, startsAt }) => ({
        idempotencyKey: id,
        serviceId,
        startsAt,
        durationMinutes: 60,
        sessionType: 'phone',
        recurrence: 'weekly',
        sessions: 2,
        outsideHours: true,
        client: { name: 'Boaz', email: 'boaz@callers.example', phone: '+1 617 555 0100' },
      }),
    })
    .route({ method: 'POST', path: '/bookings/for-new-client', successStatus: 201 })
    .input(bookNewInput)
    .output(z.object({ clientId: z.uuid(), bookingId: z.uuid(), appointments: z.array(appointmentView) })),
  /** Updates a record. A new address invalidates links emailed to the old one. */
  change: provider
    .meta({
      writes: ['care.client_record_changed service_management person'],
      example: ({ clientId }) => ({
        clientId,
        name: 'Boaz Field',
        email: 'boaz@callers.example',
        phone: '+1 617 555 0100',
      }),
    })
    .route({ method: 'POST', path: '/clients/{clientId}/record' })
    .input(changeInput)
    .output(clientRecord),
  invite: provider
    .meta({
      writes: ['care.client_invited service_management person'],
      example: ({ clientId }) => ({ clientId }),
    })
    .route({ method: 'POST', path: '/clients/{clientId}/record/invite' })
    .input(oneClient)
    .output(clientRecord),
};
