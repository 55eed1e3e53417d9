import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { oneLine } from '#/kernel/text.ts';
import { line, procedure } from '#/features/access/contract.ts';
import { timeZoneName } from '../contract.ts';

/** What an account can be: in use, unused for long, or closed to its person by an administrator. */
const userStatuses = ['active', 'inactive', 'suspended'] as const;

export type UserStatuses = typeof userStatuses;

/** By what the directory can be ordered. */
const userOrders = ['name', 'joined', 'lastActive'] as const;

export type UserOrders = typeof userOrders;

/** Why an account is suspended: closed words, since the audit log keeps them. */
const suspensionReasons = ['conduct', 'safety', 'misuse', 'asked', 'other'] as const;

export type SuspensionReasons = typeof suspensionReasons;

const instant = z.iso.datetime();
const role = z.enum(roles);
const status = z.enum(userStatuses);

/** An account as the directory shows it. */
const listedUser = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  photoUrl: z.string().nullable(),
  role,
  status,
  joinedAt: instant,
  /** To a quarter of an hour; null: never. */
  lastActiveAt: instant.nullable(),
  /** When it is erased, if its person has asked for that. */
  deleteAfter: instant.nullable(),
  /** Whether they sign in by two steps. */
  secondFactor: z.boolean(),
});

export type ListedUser = z.infer<typeof listedUser>;

/** An account as it is opened to be changed. */
const openedUser = listedUser.extend({
  emailVerified: z.boolean(),
  timeZone: z.string().nullable(),
  /** What name, address and zone are now: who saves them says which they saw. */
  version: z.string(),
  /** Which other roles it can be given. */
  offeredRoles: z.array(role),
  /** Whether it has a specialist's listing. */
  hasListing: z.boolean(),
  /** Sessions that are still to come, as client or specialist. */
  comingSessions: z.number().int(),
  /** Until when nobody can sign in, after an administrator changed the address. */
  heldUntil: instant.nullable(),
});

export type OpenedUser = z.infer<typeof openedUser>;

/** Whom the directory is narrowed down to: `search` is looked for in name and address. */
const narrowed = {
  search: z.string().trim().max(100).regex(oneLine).default(''),
  role: role.optional(),
  status: status.optional(),
  /** Only people whom the second factor covers and who have none yet. */
  lacksFactor: z.boolean().optional(),
};

/** Where the last page ended. */
const place = z.object({ id: z.uuid(), value: z.string().max(400).regex(oneLine) });

export type Place = z.infer<typeof place>;

const listInput = z.object({
  ...narrowed,
  order: z.enum(userOrders).default('name'),
  descending: z.boolean().default(false),
  beyond: place.optional(),
  limit: z.int().min(1).max(100).default(25),
});

export type ListInput = z.infer<typeof listInput>;

const exportInput = z.object({ ...narrowed, beyond: place.optional() });

export type ExportInput = z.infer<typeof exportInput>;

const userId = z.object({ userId: z.uuid() });

const editInput = userId.extend({
  version: z.string().max(100).regex(oneLine),
  fullName: line.min(1).max(200),
  email: z
    .string()
    .trim()
    .max(254)
    .pipe(z.email())
    .transform((text) => text.toLowerCase()),
  /** Left out, it stays. */
  timeZone: timeZoneName.optional(),
});

export type EditInput = z.infer<typeof editInput>;

/** The most sessions of one specialist that are decided on at once: a request's body takes no more. */
export const mostPlanned = 400;

/** What becomes of every session that a specialist still has, each as it was seen. */
export const sessionPlan = z
  .array(
    z.object({
      appointmentId: z.uuid(),
      sequence: z.number().int().min(0).max(2_147_483_647),
      outcome: z.enum(['keep', 'cancel', 'reassign']),
      /** Who holds it instead, where it is reassigned. */
      providerId: z.uuid().optional(),
    }),
  )
  .max(mostPlanned);

export type SessionPlan = z.infer<typeof sessionPlan>;

const managed = procedure.meta({ access: ['manage_users'] });

/** The directory of accounts. Names and addresses travel in bodies alone, never in an address. */
export const directoryContract = {
  figures: managed.route({ method: 'GET', path: '/admin/users/figures' }).output(
    z.object({
      users: z.number().int(),
      doctors: z.number().int(),
      pastors: z.number().int(),
      clients: z.number().int(),
    }),
  ),
  /** Page by page; `found` counts only so far, and says when there are more. */
  list: managed
    .meta({
      writes: ['users_listed user_management'],
      example: ({ id }) => ({
        search: 'ruth',
        role: 'client',
        status: 'active',
        lacksFactor: true,
        order: 'lastActive',
        descending: true,
        beyond: { id: id, value: '0' },
        limit: 10,
      }),
    })
    .route({ method: 'POST', path: '/admin/users/list' })
    .input(listInput)
    .output(
      z.object({
        users: z.array(listedUser),
        beyond: place.nullable(),
        found: z.object({ count: z.number().int(), more: z.boolean() }),
      }),
    ),
  /** Who is opened is noted: it is a view of another's data. */
  open: managed
    .meta({ writes: ['user_viewed user_management person'], example: ({ id }) => ({ userId: id }) })
    .route({ method: 'POST', path: '/admin/users/{userId}/open' })
    .input(userId)
    .output(openedUser),
  edit: managed
    .meta({
      writes: ['user_edited user_management person'],
      example: ({ id }) => ({
        userId: id,
        version: 'seen',
        fullName: 'Naomi Weiss',
        email: 'naomi@weiss.example',
        timeZone: 'America/Chicago',
      }),
    })
    .route({ method: 'POST', path: '/admin/users/{userId}/edit' })
    .input(editInput)
    .output(openedUser),
  /** `from` is the role that was seen. */
  changeRole: procedure
    .meta({
      access: ['manage_roles'],
      writes: ['role_changed user_management person'],
      example: ({ id }) => ({ userId: id, from: 'client', to: 'pastor' }),
    })
    .route({ method: 'POST', path: '/admin/users/{userId}/role' })
    .input(userId.extend({ from: role, to: role }))
    .output(listedUser),
  /** A specialist's suspension says what becomes of each session that they still have. */
  suspend: managed
    .meta({
      writes: ['user_suspended user_management person'],
      example: ({ id, appointmentId, providerId }) => ({
        userId: id,
        reason: 'misuse',
        sessions: [{ appointmentId, sequence: 0, outcome: 'reassign', providerId }],
      }),
    })
    .route({ method: 'POST', path: '/admin/users/{userId}/suspend' })
    .input(userId.extend({ reason: z.enum(suspensionReasons), sessions: sessionPlan.default([]) }))
    .output(listedUser),
  reactivate: managed
    .meta({ writes: ['user_reactivated user_management person'], example: ({ id }) => ({ userId: id }) })
    .route({ method: 'POST', path: '/admin/users/{userId}/reactivate' })
    .input(userId)
    .output(listedUser),
  /** Erases the account without days of grace; `email` is its address, typed once more. */
  remove: managed
    .meta({
      writes: ['user_deleted user_management person'],
      example: ({ id }) => ({ userId: id, email: 'naomi@weiss.example' }),
    })
    .route({ method: 'POST', path: '/admin/users/{userId}/delete' })
    .input(userId.extend({ email: z.string().trim().min(1).max(254).regex(oneLine) }))
    .output(z.object({ removed: z.literal(true) })),
  /** One part of the directory as a CSV file, in the order of joining. */
  export: managed
    .meta({
      writes: ['users_exported user_management'],
      example: ({ id }) => ({
        search: 'ruth',
        role: 'client',
        status: 'active',
        lacksFactor: false,
        beyond: { id: id, value: '0' },
      }),
    })
    .route({ method: 'POST', path: '/admin/users/export' })
    .input(exportInput)
    .output(z.object({ text: z.string(), rows: z.number().int(), beyond: place.nullable() })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    directory: typeof directoryContract;
  }
}
