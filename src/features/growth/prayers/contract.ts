import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { instant } from '#/features/appointments/appointment/contract.ts';

/** One counselor, or every pastor. */
const audiences = ['counsellor', 'pastors'] as const;
const states = ['open', 'answered', 'closed'] as const;

export type PrayerAudience = (typeof audiences)[number];
export type PrayerState = (typeof states)[number];

const longText = lines.max(2_000);

const counsellor = z.object({ id: uuid, name: z.string(), title: z.string() });

const ownPrayer = z.object({
  id: uuid,
  text: z.string(),
  audience: z.enum(audiences),
  counsellor: counsellor.nullable(),
  showName: z.boolean(),
  state: z.enum(states),
  askedAt: instant,
  prayed: z.array(z.object({ id: uuid, name: z.string(), note: z.string().nullable(), prayedAt: instant })),
});

/** Shows the client's name only with consent. */
const receivedPrayer = z.object({
  id: uuid,
  text: z.string(),
  audience: z.enum(audiences),
  /** Null if the client hides it. */
  name: z.string().nullable(),
  state: z.enum(states),
  askedAt: instant,
  /** The caller's own answer. */
  prayed: z.object({ note: z.string().nullable(), prayedAt: instant }).nullable(),
  /** Number of others who prayed. */
  others: z.number().int(),
});

export type OwnPrayer = z.infer<typeof ownPrayer>;
export type ReceivedPrayer = z.infer<typeof receivedPrayer>;

/** Cursor: both or neither. */
const page = {
  beforeAt: instant.optional(),
  beforeId: uuid.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(10),
};

/** Repeated with its id, it's sent once. */
const askInput = z.object({
  requestId: uuid.optional(),
  text: longText.min(1),
  audience: z.enum(audiences),
  providerId: uuid.optional(),
  showName: z.boolean(),
});

export type AskInput = z.infer<typeof askInput>;

const one = z.object({ requestId: uuid });

export const prayersContract = {
  /** Lists known counselors first, then other listed specialists. `search` matches name and title. */
  counsellors: procedure
    .meta({ access: ['book_appointments'], example: () => ({ search: 'Whitfield', limit: 10 }) })
    .route({ method: 'GET', path: '/prayers/counsellors' })
    .input(
      z.object({
        search: line.max(100).default(''),
        limit: z.coerce.number().int().min(1).max(50).default(50),
      }),
    )
    .output(z.array(counsellor.extend({ met: z.boolean() }))),
  ask: procedure
    .meta({
      access: ['book_appointments'],
      writes: ['prayer_asked service_management prayer'],
      example: ({ id, providerId }) => ({
        requestId: id,
        text: 'For rest.',
        audience: 'counsellor',
        providerId,
        showName: true,
      }),
    })
    .route({ method: 'POST', path: '/prayers', successStatus: 201 })
    .input(askInput)
    .output(ownPrayer),
  mine: procedure
    .meta({
      access: ['book_appointments'],
      example: ({ id, startsAt }) => ({ beforeAt: startsAt, beforeId: id, limit: 10 }),
    })
    .route({ method: 'GET', path: '/prayers' })
    .input(z.object(page))
    .output(z.object({ prayers: z.array(ownPrayer), more: z.boolean() })),
  settle: procedure
    .meta({
      access: ['book_appointments'],
      writes: ['prayer_answered service_management prayer'],
      example: ({ id }) => ({ requestId: id, state: 'answered' }),
    })
    .route({ method: 'POST', path: '/prayers/{requestId}/state' })
    .input(one.extend({ state: z.enum(states) }))
    .output(ownPrayer),
  /** Permanently deletes the request and its answers. */
  remove: procedure
    .meta({
      access: ['book_appointments'],
      writes: ['prayer_removed service_management prayer'],
      example: ({ id }) => ({ requestId: id }),
    })
    .route({ method: 'POST', path: '/prayers/{requestId}/remove' })
    .input(one)
    .output(z.object({ id: uuid })),
  /** Lists received requests. Pastors also see requests shared with all pastors. */
  received: procedure
    .meta({
      access: ['view_own_clients'],
      writes: ['growth.prayers_viewed security'],
      example: ({ id, startsAt }) => ({ beforeAt: startsAt, beforeId: id, limit: 10, state: 'open' }),
    })
    .route({ method: 'GET', path: '/prayers/received' })
    .input(z.object({ ...page, state: z.enum(['open', 'answered']).default('open') }))
    .output(z.object({ prayers: z.array(receivedPrayer), more: z.boolean() })),
  /** Records a prayer and notifies the client. Repeated calls only change the note. */
  prayed: procedure
    .meta({
      access: ['view_own_clients'],
      writes: ['prayed service_management prayer'],
      example: ({ id }) => ({ requestId: id, note: 'For you this morning.' }),
    })
    .route({ method: 'POST', path: '/prayers/{requestId}/prayed' })
    .input(one.extend({ note: longText.optional() }))
    .output(receivedPrayer),
  undoPrayed: procedure
    .meta({
      access: ['view_own_clients'],
      writes: ['prayed_undone service_management prayer'],
      example: ({ id }) => ({ requestId: id }),
    })
    .route({ method: 'POST', path: '/prayers/{requestId}/prayed/undo' })
    .input(one)
    .output(receivedPrayer),
};
