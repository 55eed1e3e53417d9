import { z } from 'zod';
import { line } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { instant } from '#/features/availability/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';

/** Recurrences of the client spec, section 4. */
const recurrences = ['one_time', 'weekly', 'biweekly'] as const;
/** Reminder choices in minutes before the start, client spec, section 9. */
export const reminderChoices = [15, 60, 1440, 2880, 10080] as const;

export const reminderMinutes = z.literal([...reminderChoices]);

/** A telephone number as people write it. */
export const phoneNumber = z
  .string()
  .trim()
  .max(40)
  .regex(/^[+0-9 ().\-/x]*$/);

/** What the booking dialog sends. `idempotencyKey` is made when the dialog opens: a retry books once. */
export const bookInput = z.object({
  idempotencyKey: z.uuid(),
  providerId: z.uuid(),
  serviceId: serviceIdShape,
  startsAt: instant,
  durationMinutes: z.number().int().min(15).max(240),
  sessionType: z.enum(sessionTypes),
  recurrence: z.enum(recurrences).default('one_time'),
  /** How many sessions a weekly or biweekly series has; ignored for a single one. */
  sessions: z.number().int().min(2).max(12).default(4),
  contact: z.object({
    name: line.min(1).max(200),
    email: z.email().max(254),
    /** Required of a session by phone: the specialist calls. */
    phone: phoneNumber.optional(),
  }),
  reminderMinutes: reminderMinutes.default(15),
  timeZone: timeZoneName,
  /** What a session costs, as the person saw it: refused as `price_changed` where it costs something else by now. */
  priceCents: z.number().int().min(0).optional(),
});
