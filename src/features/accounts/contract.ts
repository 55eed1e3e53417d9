import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { line, procedure } from '#/features/access/contract.ts';

/** An IANA zone name as far as its shape goes; whether the runtime knows it is decided by the command. */
export const timeZoneName = z.string().regex(/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/);

/** How long what a person tells about themselves may be, in characters, and how many focus areas there may be. */
const profileLimits = { fullName: 200, tradition: 100, focus: 60, focusAreas: 20 } as const;

export type ProfileLimits = typeof profileLimits;

/** The signed-in person as their own pages know them. */
const viewer = z.object({
  id: z.uuid(),
  email: z.string(),
  emailVerified: z.boolean(),
  /** Not until they set one: who books without an account is signed in by the link in their mail. */
  hasPassword: z.boolean(),
  fullName: z.string(),
  role: z.enum(roles),
  timeZone: z.string().nullable(),
  keepDiscreet: z.boolean(),
  /** Of our own origin; another with every photo. */
  photoUrl: z.string().nullable(),
  /** When the account is erased, if the person has asked for that. */
  deleteAfter: z.iso.datetime().nullable(),
});

/** The signed-in person. */
export type Viewer = z.infer<typeof viewer>;

/** What a person tells about themselves, and what they want to be told. */
const profile = z.object({
  fullName: z.string(),
  email: z.string(),
  spiritualTradition: z.string(),
  mentalHealthFocus: z.array(z.string()),
  timeZone: z.string().nullable(),
  photoUrl: z.string().nullable(),
  keepDiscreet: z.boolean(),
  sessionReminders: z.boolean(),
  dailyDevotionals: z.boolean(),
  communityUpdates: z.boolean(),
});

export type Profile = z.infer<typeof profile>;

/** A browser that is signed in to the account. */
const device = z.object({
  id: z.uuid(),
  /** Such as `Firefox` and `Windows`; null where the browser doesn't say. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  kind: z.enum(['computer', 'phone', 'tablet']),
  signedInAt: z.iso.datetime(),
  /** To the minute. */
  lastUsedAt: z.iso.datetime(),
  /** The network address that it signed in from. */
  address: z.string().nullable(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
});

export type Device = z.infer<typeof device>;

/** When the session that asks ends, unless it is used; asked with the header `x-idle`, that isn't a use of it. */
const ownSession = z.object({
  secondsLeft: z.number().int(),
  /** How many seconds before the end the person is to be warned. */
  warningSeconds: z.number().int(),
  /** Whether using it moves its end: not past its longest life. */
  extendable: z.boolean(),
});

export type OwnSession = z.infer<typeof ownSession>;

const profileInput = z.object({
  fullName: line.min(1).max(profileLimits.fullName).optional(),
  spiritualTradition: line.max(profileLimits.tradition).optional(),
  mentalHealthFocus: z.array(line.min(1).max(profileLimits.focus)).max(profileLimits.focusAreas).optional(),
  timeZone: timeZoneName.optional(),
});

export type ProfileInput = z.infer<typeof profileInput>;

/** A number from 0 to 1. */
const fraction = z
  .string()
  .regex(/^(?:0(?:\.\d{1,12})?|1(?:\.0{1,12})?)$/)
  .transform(Number);

/**
 * Which square of a photo is shown, in the query of its upload: where it begins, in fractions of the upright picture's
 * width and height, and its side, in fractions of the shorter of them. Without it, the middle.
 */
export const photoQuery = z.object({ left: fraction, top: fraction, size: fraction });

const preferencesInput = z.object({
  timeZone: timeZoneName.optional(),
  keepDiscreet: z.boolean().optional(),
  sessionReminders: z.boolean().optional(),
  dailyDevotionals: z.boolean().optional(),
  communityUpdates: z.boolean().optional(),
});

export type PreferencesInput = z.infer<typeof preferencesInput>;

export const accountsContract = {
  me: procedure.meta({ access: 'public' }).route({ method: 'GET', path: '/me' }).output(viewer.nullable()),
  updatePreferences: procedure
    .meta({
      access: 'signed_in',
      writes: ['preferences_changed user_management person'],
      example: () => ({
        timeZone: 'America/Chicago',
        keepDiscreet: true,
        sessionReminders: false,
        dailyDevotionals: true,
        communityUpdates: true,
      }),
    })
    .route({ method: 'POST', path: '/me/preferences' })
    .input(preferencesInput)
    .output(viewer),
  profile: procedure
    .meta({ access: ['manage_own_profile'] })
    .route({ method: 'GET', path: '/me/profile' })
    .output(profile),
  /** Changes what is named and leaves the rest. */
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
  /** Null for a guest, and once the session has ended. */
  session: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/me/session' })
    .output(ownSession.nullable()),
  /** Where the person is signed in, last used first. */
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
    .input(z.object({ id: z.uuid() }))
    .output(z.array(device)),
  /** Ends every session of the person but the one that asks. */
  signOutOtherDevices: procedure
    .meta({ access: 'signed_in', writes: ['other_devices_signed_out security person'], example: () => ({}) })
    .route({ method: 'POST', path: '/me/devices/sign-out-others' })
    .input(z.strictObject({}))
    .output(z.array(device)),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    accounts: typeof accountsContract;
  }
}
