import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { line, procedure, uuid } from '#/features/access/contract.ts';
import { byPreference } from './rules.ts';
import { assertion } from './webauthn/contract.ts';

const reauthenticateInput = z.object({
  password: z.string().min(1).max(200).optional(),
  code: z.string().trim().min(1).max(40).optional(),
  passkey: assertion.optional(),
});

export type ReauthenticateInput = z.infer<typeof reauthenticateInput>;

export const reauthenticationContract = {
  confirm: procedure
    .meta({
      access: 'signed_in',
      writes: ['reauthenticated security person'],
      example: () => ({ password: 'not-the-password' }),
    })
    .route({ method: 'POST', path: '/me/reauthentication' })
    .input(reauthenticateInput)
    .output(z.object({ freshUntil: z.iso.datetime() })),
};

const portalState = z.object({
  /** States of the administrator spec, section 4. */
  state: z.enum(['guest', 'denied', 'waiting', 'open']),
  address: z.string().nullable(),
  role: z.enum(roles).nullable(),
});

export type PortalState = z.infer<typeof portalState>;

export const administrationContract = {
  /** Returns the viewer's portal access; refusals are logged. */
  portal: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/admin/portal' })
    .output(portalState),
};

export const deletionContract = {
  /** Requests deletion after reentering the password; repeating it returns the same date. */
  request: procedure
    .meta({
      access: 'signed_in',
      writes: ['deletion_requested user_management person'],
      example: () => ({ password: 'not-the-password' }),
    })
    .route({ method: 'POST', path: '/me/deletion' })
    .input(z.object({ password: z.string().min(1).max(200) }))
    .output(z.object({ deleteAfter: z.iso.datetime() })),
  keep: procedure
    .meta({ access: 'signed_in', writes: ['deletion_undone user_management person'] })
    .route({ method: 'POST', path: '/me/deletion/undo' })
    .output(z.object({ deleteAfter: z.null() })),
};

/** Checks only the format of an IANA time zone; commands check whether the runtime knows it. */
export const timeZoneName = z.string().regex(/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/);

const viewer = z.object({
  id: uuid,
  email: z.string(),
  emailVerified: z.boolean(),
  /** Until set, guests sign in by emailed link. */
  hasPassword: z.boolean(),
  fullName: z.string(),
  role: z.enum(roles),
  timeZone: z.string().nullable(),
  keepDiscreet: z.boolean(),
  /** Same-origin URL that changes with each photo. */
  photoUrl: z.string().nullable(),
  deleteAfter: z.iso.datetime().nullable(),
});

export type Viewer = z.infer<typeof viewer>;

const profile = z.object({
  fullName: z.string(),
  email: z.string(),
  spiritualTradition: z.string(),
  mentalHealthFocus: z.array(z.string()),
  timeZone: z.string().nullable(),
  photoUrl: z.string().nullable(),
  ...byPreference(() => z.boolean()),
});

export type Profile = z.infer<typeof profile>;

export const device = z.object({
  id: uuid,
  /** For example `Firefox` and `Windows`; null if unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  kind: z.enum(['computer', 'phone', 'tablet']),
  signedInAt: z.iso.datetime(),
  /** Rounded to the minute. */
  lastUsedAt: z.iso.datetime(),
  address: z.string().nullable(),
  current: z.boolean(),
});

export type Device = z.infer<typeof device>;

/** When the requesting sign-in session expires. With the `x-idle` header, the request doesn't extend it. */
const ownSession = z.object({
  secondsLeft: z.number().int(),
  /** Seconds before expiry when the warning appears. */
  warningSeconds: z.number().int(),
  /** False at the session's maximum lifetime. */
  extendable: z.boolean(),
});

export type OwnSession = z.infer<typeof ownSession>;

const profileInput = z.object({
  fullName: line.min(1).max(200).optional(),
  spiritualTradition: line.max(100).optional(),
  mentalHealthFocus: z.array(line.min(1).max(60)).max(20).optional(),
  timeZone: timeZoneName.optional(),
});

export type ProfileInput = z.infer<typeof profileInput>;

/** A number from 0 to 1. */
const fraction = z
  .string()
  .regex(/^(?:0(?:\.\d{1,12})?|1(?:\.0{1,12})?)$/)
  .transform(Number);

/**
 * Square crop of an uploaded photo: its corner as fractions of the upright image's width and height, its side as a
 * fraction of the shorter one. Centered by default.
 */
export const photoQuery = z.object({ left: fraction, top: fraction, size: fraction });

const preferencesInput = z.object({
  timeZone: timeZoneName.optional(),
  ...byPreference(() => z.boolean().optional()),
});

export type PreferencesInput = z.infer<typeof preferencesInput>;

export const accountsContract = {
  me: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/me' }).output(viewer.nullable()),
  updatePreferences: procedure
    .meta({
      access: 'signed_in',
      writes: ['preferences_changed user_management person'],
      example: () => ({ timeZone: 'America/Chicago', ...byPreference(() => true) }),
    })
    .route({ method: 'POST', path: '/me/preferences' })
    .input(preferencesInput)
    .output(viewer),
  profile: procedure
    .meta({ access: ['manage_own_profile'] })
    .route({ method: 'GET', path: '/me/profile' })
    .output(profile),
  /** Partial update. */
  updateProfile: procedure
    .meta({
      access: ['manage_own_profile'],
      writes: ['profile_changed user_management person'],
      example: () => ({
        fullName: 'Naomi Weiss',
        spiritualTradition: 'SDA',
        mentalHealthFocus: ['Anxiety'],
        timeZone: 'America/Chicago',
      }),
    })
    .route({ method: 'POST', path: '/me/profile' })
    .input(profileInput)
    .output(profile),
  removePhoto: procedure
    .meta({ access: ['manage_own_profile'], writes: ['photo_removed user_management person'] })
    .route({ method: 'POST', path: '/me/photo/remove' })
    .output(profile),
  /** Null for guests and expired sessions. */
  session: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/me/session' })
    .output(ownSession.nullable()),
  /** Most recently used first. */
  devices: procedure
    .meta({ access: 'signed_in' })
    .route({ method: 'GET', path: '/me/devices' })
    .output(z.array(device)),
  signOutDevice: procedure
    .meta({
      access: 'signed_in',
      writes: ['device_signed_out security person'],
      example: ({ id }) => ({ id: id }),
    })
    .route({ method: 'POST', path: '/me/devices/{id}/sign-out' })
    .input(z.object({ id: uuid }))
    .output(z.array(device)),
  /** Keeps the current sign-in session. */
  signOutOtherDevices: procedure
    .meta({ access: 'signed_in', writes: ['other_devices_signed_out security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/me/devices/sign-out-others' })
    .input(z.strictObject({}))
    .output(z.array(device)),
};
