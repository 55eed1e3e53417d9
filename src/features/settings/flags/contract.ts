import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { procedure, uuid } from '#/features/access/contract.ts';

/** The administrator spec's eight feature flags (section 3). */
export const flagIds = [
  'video_sessions',
  'group_sessions',
  'direct_messaging',
  'calendar_integration',
  'push_notifications',
  'two_factor_authentication',
  'mobile_app_access',
  'wellness_tracking',
] as const;

export type FlagId = (typeof flagIds)[number];

const categories = ['communication', 'sessions', 'notifications', 'security', 'wellness'] as const;
export type FlagCategory = (typeof categories)[number];

const scopes = ['global', 'role_based', 'user_specific'] as const;
export type FlagScope = (typeof scopes)[number];

const bulkActions = ['enable_communication', 'disable_experimental', 'reset'] as const;
export type BulkAction = (typeof bulkActions)[number];

/** Maximum people in a `user_specific` scope. */
const maxPeople = 200;

const flagView = z.object({
  id: z.enum(flagIds),
  name: z.string(),
  description: z.string(),
  category: z.enum(categories),
  experimental: z.boolean(),
  enabled: z.boolean(),
  scope: z.enum(scopes),
  roles: z.array(z.enum(roles)),
  personIds: z.array(uuid),
  version: z.number().int(),
  /** Null until changed; `byId`: null for erased accounts. */
  modified: z.object({ at: z.iso.datetime(), byId: uuid.nullable() }).nullable(),
});

export type FlagView = z.infer<typeof flagView>;

const flagId = z.enum(flagIds);
/** An outdated version throws `flag_changed`. */
const version = z.number().int().min(1).max(2_147_483_647);
const administrator = procedure.meta({ access: ['manage_settings'] });
const flags = z.array(flagView);

export const flagsContract = {
  list: administrator.route({ method: 'GET', path: '/admin/flags' }).output(flags),
  turn: administrator
    .meta({
      writes: ['flags.enabled system_settings'],
      example: () => ({ flagId: 'wellness_tracking', version: 1, enabled: true }),
    })
    .route({ method: 'POST', path: '/admin/flags/{flagId}' })
    .input(z.object({ flagId, version, enabled: z.boolean() }))
    .output(flags),
  setScope: administrator
    .meta({
      writes: ['flags.scoped system_settings'],
      example: ({ clientId }) => ({
        flagId: 'wellness_tracking',
        version: 1,
        scope: 'role_based',
        roles: ['client'],
        personIds: [clientId],
      }),
    })
    .route({ method: 'POST', path: '/admin/flags/{flagId}/scope' })
    .input(
      z.object({
        flagId,
        version,
        scope: z.enum(scopes),
        /** At least one for the `role_based` scope. */
        roles: z.array(z.enum(roles)).max(roles.length).default([]),
        /** At least one for the `user_specific` scope. */
        personIds: z.array(uuid).max(maxPeople).default([]),
      }),
    )
    .output(flags),
  /** `expected`: the affected flags as previewed. */
  changeMany: administrator
    .meta({
      writes: ['flags.enabled system_settings'],
      example: () => ({ action: 'reset', expected: [{ flagId: 'wellness_tracking', version: 1 }] }),
    })
    .route({ method: 'POST', path: '/admin/flags' })
    .input(
      z.object({
        action: z.enum(bulkActions),
        expected: z.array(z.object({ flagId, version })).min(1).max(flagIds.length),
      }),
    )
    .output(flags),
};
