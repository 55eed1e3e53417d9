import { z } from 'zod';
import { line, uuid } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { instant } from '#/features/availability/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { sessionTypes } from '#/features/providers/contract.ts';
import { recurrences } from '../appointment/contract.ts';

/** Minutes before the start; client spec, section 9. */
export const reminderChoices = [15, 60, 1440, 2880, 10080] as const;

export const reminderMinutes = z.literal([...reminderChoices]);

export const phoneNumber = z
  .string()
  .trim()
  .max(40)
  .regex(/^[+0-9 ().\-/x]*$/);

/** `idempotencyKey` is created when the dialog opens, so retries book once. */
export const bookInput = z.object({
  idempotencyKey: uuid,
  providerId: uuid,
  serviceId: serviceIdShape,
  startsAt: instant,
  durationMinutes: z.number().int().min(15).max(240),
  sessionType: z.enum(sessionTypes),
  recurrence: z.enum(recurrences).default('one_time'),
  sessions: z.number().int().min(2).max(12).default(4),
  contact: z.object({
    name: line.min(1).max(200),
    email: z.email().max(254),
    /** Required for phone sessions: the specialist calls. */
    phone: phoneNumber.optional(),
  }),
  reminderMinutes: reminderMinutes.default(15),
  timeZone: timeZoneName,
  /** As shown; throws `price_changed` if outdated. */
  priceCents: z.number().int().min(0).optional(),
});

export type BookInput = z.infer<typeof bookInput>;

/** A provider's booking for a client; skips notice. */
export const bookForInput = bookInput
  .pick({
    idempotencyKey: true,
    serviceId: true,
    startsAt: true,
    durationMinutes: true,
    sessionType: true,
    recurrence: true,
    sessions: true,
  })
  .extend({
    clientId: uuid,
    /** For phone sessions; overrides the client's last. */
    phone: phoneNumber.optional(),
    /** Ignores working hours and the daily maximum, but never other sessions or blocks. */
    outsideHours: z.boolean().default(false),
  });

export type BookForInput = z.infer<typeof bookForInput>;
