import { z } from 'zod';
import { roles } from '#/kernel/actor.ts';
import { procedure, uuid } from '#/features/access/contract.ts';
import { assertion } from '../webauthn/contract.ts';

const state = z.object({
  active: z.boolean(),
  /** Passkeys are the second step. */
  byPasskey: z.boolean(),
  offered: z.boolean(),
  demanded: z.boolean(),
  codesLeft: z.number().int(),
});

export type SecondFactorState = z.infer<typeof state>;

/** Base32 secret and QR code URI. */
const setUp = z.object({ secret: z.string(), address: z.string() });

export type SetUp = z.infer<typeof setUp>;

const backupCodes = z.object({ backupCodes: z.array(z.string()) });

const code = z.string().trim().min(1).max(40);
const password = z.string().min(1).max(200);
/** Passkeys as second step are confirmed before instead. */
const proof = z.object({ password: password.optional(), code: code.optional() });
const own = procedure.meta({ access: 'signed_in' });

/** The flag offers two-factor; the setting requires it for everyone covered. */
const coverage = z.object({
  offered: z.boolean(),
  demanded: z.boolean(),
  scope: z.enum(['global', 'role_based', 'user_specific']),
  roles: z.array(z.enum(roles)),
  covered: z.number().int(),
  lacking: z.number().int(),
  uncovered: z.number().int(),
});

export type FactorCoverage = z.infer<typeof coverage>;

export const secondFactorContract = {
  coverage: procedure
    .meta({ access: ['manage_settings'] })
    .route({ method: 'GET', path: '/admin/second-factor/coverage' })
    .output(coverage),
  get: own.route({ method: 'GET', path: '/me/second-factor' }).output(state),
  /** Inactive until a code confirms it. */
  begin: own
    .meta({
      writes: ['second_factor_begun security person'],
      example: () => ({ password: 'not-the-password' }),
    })
    .route({ method: 'POST', path: '/me/second-factor' })
    .input(z.object({ password }))
    .output(setUp),
  confirm: own
    .meta({ writes: ['second_factor_set_up security person'], example: () => ({ code: '000000' }) })
    .route({ method: 'POST', path: '/me/second-factor/confirm' })
    .input(z.object({ code }))
    .output(backupCodes),
  /** Answers `passkeys.ask`. */
  usePasskey: own
    .meta({
      writes: ['second_factor_set_up security person'],
      example: () => ({
        passkey: {
          id: 'AA',
          rawId: 'AA',
          type: 'public-key',
          response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
        },
      }),
    })
    .route({ method: 'POST', path: '/me/second-factor/passkey' })
    .input(z.object({ passkey: assertion }))
    .output(backupCodes),
  renewCodes: own
    .meta({
      writes: ['backup_code_used security person', 'backup_codes_renewed security person'],
      example: () => ({ password: 'not-the-password', code: '000000' }),
    })
    .route({ method: 'POST', path: '/me/second-factor/codes' })
    .input(proof)
    .output(backupCodes),
  remove: own
    .meta({
      writes: ['backup_code_used security person', 'second_factor_removed security person'],
      example: () => ({ password: 'not-the-password', code: '000000' }),
    })
    .route({ method: 'POST', path: '/me/second-factor/remove' })
    .input(proof)
    .output(state),
  /** For people without app and backup codes. */
  reset: procedure
    .meta({
      access: ['manage_users'],
      writes: ['second_factor_reset security person'],
      example: ({ clientId }) => ({ id: clientId }),
    })
    .route({ method: 'POST', path: '/admin/users/{id}/second-factor/reset' })
    .input(z.object({ id: uuid }))
    .output(z.object({ id: uuid })),
};
