import { z } from 'zod';
import { line, procedure } from '#/features/access/contract.ts';
import { appointmentView, bookForInput, instant } from '#/features/booking/contract.ts';
import { phoneNumber } from '#/features/booking/input/contract.ts';

/** How a provider entered a client who has no account, and what became of the invitation. */
export const clientRecord = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** When the invitation was asked to be mailed last; null: never to this address. */
  sentAt: instant.nullable(),
  /** The address's owner asked for no more emails. */
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
  /** One of email and phone at least. */
  .extend({ client: z.object(person) });

export type BookNewInput = z.infer<typeof bookNewInput>;

const oneClient = z.object({ clientId: z.uuid() });
const changeInput = oneClient.extend(person);

export type ChangeRecordInput = z.infer<typeof changeInput>;

const provider = procedure.meta({ access: ['view_own_clients'] });

export const recordsContract = {
  /**
   * Books for somebody new, whose record is made with it: once per idempotency key, by the rules of booking for a client.
   * An address gets an invitation. The answer is the same whether or not it has an account.
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
  /** Corrects or deletes what one entered. Another address ends the links that were mailed to the one before. */
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
  /** Mails the invitation, or mails it again. */
  invite: provider
    .meta({
      writes: ['care.client_invited service_management person'],
      example: ({ clientId }) => ({ clientId }),
    })
    .route({ method: 'POST', path: '/clients/{clientId}/record/invite' })
    .input(oneClient)
    .output(clientRecord),
};
