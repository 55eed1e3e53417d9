import { z } from 'zod';
import { emailAddress as email, personName as name } from '#/features/access/contract.ts';
import { isEmailedCode } from '../rules.ts';
import type { SetUp } from '../second-factor/contract.ts';
import { assertion, type RequestOptions } from '../webauthn/contract.ts';

/** The minimum is a site setting. */
const password = z.string().min(1).max(128);
/** Page after an emailed link; anything except a same-site path becomes home. */
const next = z.string().max(500).optional();
/** From an authenticator app, or a backup code. */
const code = z.string().trim().min(1).max(40);
/** Typed with or without spaces. */
const emailCode = z
  .string()
  .max(40)
  .refine(isEmailedCode)
  .transform((typed) => typed.replaceAll(/\s/g, ''));
/** In any notation; commands check it. */
const phone = z.string().trim().min(1).max(40);
const token = z.string().min(1).max(200);
/** An OpenID Connect provider's id. */
const provider = z.string().min(1).max(31);
/** The query that a provider sent the browser back with. */
const answer = z.string().min(1).max(4_000);
/** An Ethereum account. */
const address = z.string().regex(/^0x[\da-fA-F]{40}$/);
/** Contracts' signatures are long. */
const signature = z
  .string()
  .max(10_000)
  .regex(/^0x[\da-fA-F]*$/);
/** The message that a wallet signed (EIP-4361). */
export const signedMessage = { message: z.string().min(1).max(2_000), signature };
/** The second step; `trust` skips the next ones here. */
const secondStep = {
  code: code.optional(),
  passkey: assertion.optional(),
  trust: z.boolean().optional(),
};

/** Endpoints under `/api/auth`, all POST with JSON; other paths return `not_found`. */
export const identityInputs = {
  '/sign-up/email': z.object({ name, email, password, next }),
  '/sign-in/email': z.object({ email, password, ...secondStep }),
  '/request-sign-in-link': z.object({ email }),
  '/sign-in/link': z.object({ token }),
  '/request-sign-in-code': z.object({ email, next }),
  '/request-texted-code': z.object({ phone }),
  '/sign-in/code': z.object({ emailCode, ...secondStep }),
  '/request-passkey': z.object({}),
  '/sign-in/passkey': z.object({ passkey: assertion }),
  '/request-provider': z.object({ provider, next }),
  '/sign-in/provider': z.object({ provider, answer, ...secondStep }),
  '/request-wallet': z.object({ address }),
  '/sign-in/wallet': z.object({ ...signedMessage, ...secondStep }),
  '/return-to-program': z.object({ token }),
  '/unlock': z.object({ token }),
  '/sign-out': z.object({}),
  '/send-verification-email': z.object({ email, next }),
  '/verify-email': z.object({ token }),
  '/request-password-reset': z.object({ email, next }),
  '/check-reset-link': z.object({ token }),
  '/reset-password': z.object({ token, newPassword: password, name: name.optional() }),
  '/change-password': z.object({ password, newPassword: password, code: code.optional() }),
} as const;

export type IdentityPath = keyof typeof identityInputs;

export type IdentityInput<P extends IdentityPath> = z.input<(typeof identityInputs)[P]>;

/** `signedIn` is the state afterwards. */
export interface IdentityAnswer {
  signedIn: boolean;
  /** Set if the link alone can't sign in. */
  resetToken?: string;
  /** The link's account, for password managers. */
  email?: string;
  /** The link creates an account, which needs one. */
  asksName?: true;
  /** The password was correct; resend with a code, after setting up an app if needed, or with a passkey. */
  secondStep?: {
    setUp: SetUp | null;
    passkey?: RequestOptions | undefined;
    /** There is no app. */
    byPasskey?: true;
    /** `trust` works. */
    mayTrust?: true;
  };
  /** For the authenticator that holds a passkey. */
  passkey?: RequestOptions;
  /** The provider's page that asks the person, or the program to return to. */
  continueAt?: string;
  /** For the wallet to sign. */
  message?: string;
  /** The page to continue to, after a provider. */
  next?: string;
  /** Signing in created the account. */
  isNew?: true;
  /** From the authenticator app just set up. */
  backupCodes?: string[];
}

/** A registered address, and the S256 challenge that its code is bound to (RFC 7636). */
export interface ReturnTo {
  redirect: string;
  challenge: string;
}
