import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { assertion } from '../webauthn/contract.ts';

const wordsState = z.object({
  /** `unkeyed`: no author key yet; text from earlier releases can be read, but nothing written. */
  state: z.enum(['open', 'locked', 'unkeyed']),
  /** A new password was set without the former one, so it doesn't unlock anything. */
  passwordReplaced: z.boolean(),
  /** Whether a passkey of theirs unlocks it. */
  byPasskey: z.boolean(),
  recoveryKeyAt: z.iso.datetime().nullable(),
});

export type WordsState = z.infer<typeof wordsState>;

const secret = z.string().min(1).max(200);

const unlockInput = z.object({
  /** The current password. Given with another secret, it unlocks from now on. */
  password: secret.optional(),
  /** The password before it was replaced. */
  formerPassword: secret.optional(),
  recoveryKey: secret.optional(),
  /** Answers `passkeys.ask`. */
  passkey: assertion.optional(),
});

export type UnlockInput = z.infer<typeof unlockInput>;

/** Can't be undone: refuses an empty request. */
const confirmation = z.object({ confirmed: z.literal(true) });

const own = procedure.meta({ access: 'signed_in' });

/** The caller's journal and private notes, which only their own secrets unlock. */
export const wordsContract = {
  get: own.route({ method: 'GET', path: '/me/words' }).output(wordsState),
  /** The first password makes the author key. */
  unlock: own
    .meta({
      writes: ['words_unlocked security person'],
      example: () => ({ password: 'not-the-password' }),
    })
    .route({ method: 'POST', path: '/me/words/unlock' })
    .input(unlockInput)
    .output(wordsState),
  /** Returns the key once; ends an earlier one. */
  renewRecoveryKey: own
    .meta({ writes: ['recovery_key_renewed security person'], example: () => ({ confirmed: true }) })
    .route({ method: 'POST', path: '/me/words/recovery-key' })
    .input(confirmation)
    .output(z.object({ recoveryKey: z.string() })),
  /** Deletes all that the lost secrets unlocked. */
  startOver: own
    .meta({ writes: ['words_started_over security person'], example: () => ({ confirmed: true }) })
    .route({ method: 'POST', path: '/me/words/start-over' })
    .input(confirmation)
    .output(z.object({ deleted: z.number().int() })),
};
