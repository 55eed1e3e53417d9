import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { procedure } from '#/features/access/contract.ts';

/** How a person's second factor stands. */
const state = z.object({
  active: z.boolean(),
  /** Whether the site lets them set one up. */
  offered: z.boolean(),
  /** Whether the site demands one of them. */
  demanded: z.boolean(),
  codesLeft: z.number().int(),
});

export type SecondFactorState = z.infer<typeof state>;

/** What an authenticator app is given: the secret in Base32, and the same as an address for its camera. */
const setUp = z.object({ secret: z.string(), address: z.string() });

export type SetUp = z.infer<typeof setUp>;

/** The codes on paper, shown once. */
const backupCodes = z.object({ backupCodes: z.array(z.string()) });

/** What an app or a paper says, as it is typed. */
const code = z.string().trim().min(1).max(40);
const password = z.string().min(1).max(200);
const own = procedure.meta({ access: 'signed_in' });

/** Whom the site's second factor covers: the flag offers it, the setting demands it of everybody whom the flag covers. */
const coverage = z.object({
  offered: z.boolean(),
  demanded: z.boolean(),
  scope: z.enum(['global', 'role_based', 'user_specific']),
  roles: z.array(z.enum(roles)),
  /** How many people that is, and how many of them have none yet. */
  covered: z.number().int(),
  lacking: z.number().int(),
  /** How many people it doesn't cover. */
  uncovered: z.number().int(),
});

export type FactorCoverage = z.infer<typeof coverage>;

export const secondFactorContract = {
  coverage: procedure
    .meta({ access: ['manage_settings'] })
    .route({ method: 'GET', path: '/admin/second-factor/coverage' })
    .output(coverage),
  get: own.route({ method: 'GET', path: '/me/second-factor' }).output(state),
  /** Begins with a new secret, after the password once more; it counts from the first code on. */
  begin: own
    .meta({
      writes: ['second_factor_begun security person'],
      example: () => ({ password: 'not-the-password' }),
    })
    .route({ method: 'POST', path: '/me/second-factor' })
    .input(z.object({ password }))
    .output(setUp),
  /** Shows by a code that the app has the secret; answers the codes on paper. */
  confirm: own
    .meta({ writes: ['second_factor_set_up security person'], example: () => ({ code: '000000' }) })
    .route({ method: 'POST', path: '/me/second-factor/confirm' })
    .input(z.object({ code }))
    .output(backupCodes),
  /** Replaces the backup codes; needs password and code. */
  renewCodes: own
    .meta({
      writes: ['backup_code_used security person', 'backup_codes_renewed security person'],
      example: () => ({ password: 'not-the-password', code: '000000' }),
    })
    .route({ method: 'POST', path: '/me/second-factor/codes' })
    .input(z.object({ password, code }))
    .output(backupCodes),
  /** By the password and a code of what is removed. */
  remove: own
    .meta({
      writes: ['backup_code_used security person', 'second_factor_removed security person'],
      example: () => ({ password: 'not-the-password', code: '000000' }),
    })
    .route({ method: 'POST', path: '/me/second-factor/remove' })
    .input(z.object({ password, code }))
    .output(state),
  /** Takes away the second factor of somebody who has lost both app and paper. */
  reset: procedure
    .meta({
      access: ['manage_users'],
      writes: ['second_factor_reset security person'],
      example: ({ clientId }) => ({ id: clientId }),
    })
    .route({ method: 'POST', path: '/admin/users/{id}/second-factor/reset' })
    .input(z.object({ id: z.uuid() }))
    .output(z.object({ id: z.uuid() })),
};

declare module '#/kernel/contracts.ts' {
  interface Contracts {
    secondFactor: typeof secondFactorContract;
  }
}
