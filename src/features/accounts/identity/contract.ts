import { z } from 'zod';
import { line } from '#/features/access/contract.ts';
import type { SetUp } from '../second-factor/contract.ts';

const email = z
  .string()
  .trim()
  .max(254)
  .pipe(z.email())
  .transform((text) => text.toLowerCase());
/** How short it may be is a site setting, looked up when it is needed. */
const password = z.string().min(1).max(128);
const name = line.min(1).max(200);
/** Where the person goes on after the mailed link; anything but a path of this site becomes home. */
const next = z.string().max(500).optional();
const token = z.string().min(1).max(200);

/** The ways in and out under `/api/auth`, each a POST of JSON; every other path there answers not_found. */
export const identityInputs = {
  '/sign-up/email': z.object({ name, email, password, next }),
  '/sign-in/email': z.object({ email, password, code: z.string().trim().min(1).max(40).optional() }),
  '/request-sign-in-link': z.object({ email }),
  '/sign-in/link': z.object({ token }),
  '/unlock': z.object({ token }),
  '/sign-out': z.object({}),
  '/send-verification-email': z.object({ email, next }),
  '/verify-email': z.object({ token }),
  '/request-password-reset': z.object({ email, next }),
  '/reset-password': z.object({ token, newPassword: password, name: name.optional() }),
  '/change-password': z.object({ password, newPassword: password }),
} as const;

/** A path under `/api/auth` that is served. */
export type IdentityPath = keyof typeof identityInputs;

/** What a path is sent. */
export type IdentityInput<P extends IdentityPath> = z.input<(typeof identityInputs)[P]>;

/** What every path answers: whether the browser is signed in after it. */
export interface IdentityAnswer {
  signedIn: boolean;
  /** Whoever followed a link and can't be signed in by it alone chooses a password first. */
  resetToken?: string;
  /** The link makes an account: a name is chosen with the password. */
  asksName?: true;
  /** The password was right: the same is to be sent with a code, of an app that is set up or is to be set up now. */
  secondStep?: { setUp: SetUp | null };
  /** The codes on paper of the app that was set up by this sign-in. */
  backupCodes?: string[];
}
