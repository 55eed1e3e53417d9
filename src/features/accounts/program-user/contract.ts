import { z } from 'zod';
import { emailAddress, line, uuid } from '#/features/access/contract.ts';
import { identityInputs } from '../identity/contract.ts';

/** The published client's inputs for second factors. */
export const factorInputs = {
  enroll: z.object({ factor_type: z.literal('totp') }),
  challenge: z.object({}),
  verify: z.object({ challenge_id: uuid, code: z.string().trim().min(1).max(40) }),
};

export interface EnrolledFactor {
  id: string;
  type: 'totp';
  totp: {
    /** SVG. */
    qr_code: string;
    secret: string;
    uri: string;
  };
}

const { newPassword } = identityInputs['/change-password'].shape;
const { emailCode } = identityInputs['/sign-in/code'].shape;

/** Inputs of calls about the signed-in person. */
export const userInputs = {
  change: z.object({
    password: newPassword.optional(),
    current_password: z.string().min(1).max(200).optional(),
    /** The code that `GET /reauthenticate` emailed. */
    nonce: emailCode.optional(),
    data: z.object({ full_name: line.min(1).max(200).optional() }).optional(),
    email: emailAddress.optional(),
    phone: z.string().optional(),
  }),
  signOut: z.object({}),
};

export const signOutScopes = ['global', 'local', 'others'] as const;

export type SignOutScope = (typeof signOutScopes)[number];
