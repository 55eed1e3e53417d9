import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { oneLine } from '#/kernel/text.ts';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { apiToken } from '../api-tokens/contract.ts';
import { device, timeZoneName } from '../contract.ts';
import { maxListed, maxSkipped, suspensionReasons, userOrders, userStatuses } from './rules.ts';

const instant = z.iso.datetime();
const role = z.enum(roles);
const status = z.enum(userStatuses);

const listedUser = z.object({
  id: uuid,
  name: z.string(),
  email: z.string(),
  photoUrl: z.string().nullable(),
  role,
  status,
  joinedAt: instant,
  /** Rounded to 15 minutes; null if never active. */
  lastActiveAt: instant.nullable(),
  deleteAfter: instant.nullable(),
  secondFactor: z.boolean(),
});

export type ListedUser = z.infer<typeof listedUser>;

const openedUser = listedUser.extend({
  emailVerified: z.boolean(),
  timeZone: z.string().nullable(),
  /** Hash of name, email and time zone. */
  version: z.string(),
  offeredRoles: z.array(role),
  hasListing: z.boolean(),
  /** Upcoming sessions as client or specialist. */
  comingSessions: z.number().int(),
  /** End of the sign-in block after an administrator's email change. */
  heldUntil: instant.nullable(),
  /** Where they're signed in, last used first. */
  devices: z.array(device.omit({ address: true, current: true })),
  /** Oldest first, without expired ones. */
  apiTokens: z.array(apiToken),
});

export type OpenedUser = z.infer<typeof openedUser>;

/** Filters; `search` matches name and email. */
const narrowed = {
  search: z.string().trim().max(100).regex(oneLine).default(''),
  role: role.optional(),
  status: status.optional(),
  /** Covered by the two-factor feature but not set up. */
  lacksFactor: z.boolean().optional(),
};

const cursor = z.object({ id: uuid, value: z.string().max(400).regex(oneLine) });

export type Cursor = z.infer<typeof cursor>;

const listInput = z.object({
  ...narrowed,
  order: z.enum(userOrders).default('name'),
  descending: z.boolean().default(false),
  beyond: cursor.optional(),
  /** Offset, for programs that number pages. */
  skip: z.int().min(0).max(maxSkipped).optional(),
  limit: z.int().min(1).max(maxListed).default(25),
});

export type ListInput = z.infer<typeof listInput>;

const exportInput = z.object({ ...narrowed, beyond: cursor.optional() });

export type ExportInput = z.infer<typeof exportInput>;

const userId = z.object({ userId: uuid });

const editInput = userId.extend({
  version: z.string().max(100).regex(oneLine),
  fullName: line.min(1).max(200),
  email: z
    .string()
    .trim()
    .max(254)
    .check(z.email())
    .transform((text) => text.toLowerCase()),
  /** Unchanged if omitted. */
  timeZone: timeZoneName.optional(),
});

export type EditInput = z.infer<typeof editInput>;

/** Limited by the request body size. */
export const maxPlanned = 400;

/** Decides each remaining session of a specialist, with the version last seen. */
export const sessionPlan = z
  .array(
    z.object({
      appointmentId: uuid,
      sequence: z.number().int().min(0).max(2_147_483_647),
      outcome: z.enum(['keep', 'cancel', 'reassign']),
      providerId: uuid.optional(),
    }),
  )
  .max(maxPlanned);

export type SessionPlan = z.infer<typeof sessionPlan>;

const managed = procedure.meta({ access: ['manage_users'] });

/** Names and emails never travel in URLs. */
export const directoryContract = {
  figures: managed
    .meta({ scope: 'users:read' })
    .route({ method: 'GET', path: '/admin/users/figures' })
    .output(
      z.object({
        users: z.number().int(),
        doctors: z.number().int(),
        pastors: z.number().int(),
        clients: z.number().int(),
      }),
    ),
  /** Paginated; `found` counts up to a limit. */
  list: managed
    .meta({
      scope: 'users:read',
      writes: ['users_listed user_management'],
      example: ({ id }) => ({
        search: 'ruth',
        role: 'client',
        status: 'active',
        lacksFactor: true,
        order: 'lastActive',
        descending: true,
        beyond: { id: id, value: '0' },
        skip: 0,
        limit: 10,
      }),
    })
    .route({ method: 'POST', path: '/admin/users/list' })
    .input(listInput)
    .output(
      z.object({
        users: z.array(listedUser),
        beyond: cursor.nullable(),
        found: z.object({ count: z.number().int(), more: z.boolean() }),
      }),
    ),
  /** Logged as access to personal data. */
  open: managed
    .meta({
      scope: 'users:read',
      writes: ['user_viewed user_management person'],
      example: ({ id }) => ({ userId: id }),
    })
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
  /** `from` is the role last seen. */
  changeRole: procedure
    .meta({
      access: ['manage_roles'],
      writes: ['role_changed user_management person'],
      example: ({ id }) => ({ userId: id, from: 'client', to: 'pastor' }),
    })
    .route({ method: 'POST', path: '/admin/users/{userId}/role' })
    .input(userId.extend({ from: role, to: role }))
    .output(listedUser),
  /** Needs a decision about each remaining session. */
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
  /** Erases the account without grace period; `email` is retyped as confirmation. */
  remove: managed
    .meta({
      writes: ['user_deleted user_management person'],
      example: ({ id }) => ({ userId: id, email: 'naomi@weiss.example' }),
    })
    .route({ method: 'POST', path: '/admin/users/{userId}/delete' })
    .input(userId.extend({ email: z.string().trim().min(1).max(254).regex(oneLine) }))
    .output(z.object({ removed: z.literal(true) })),
  revokeApiToken: managed
    .meta({
      writes: ['api_token_revoked security person'],
      example: ({ id }) => ({ userId: id, tokenId: id, reason: 'asked' }),
    })
    .route({ method: 'POST', path: '/admin/users/{userId}/api-tokens/{tokenId}/revoke' })
    .input(userId.extend({ tokenId: uuid, reason: z.enum(suspensionReasons) }))
    .output(listedUser),
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
    .output(z.object({ text: z.string(), rows: z.number().int(), beyond: cursor.nullable() })),
};
