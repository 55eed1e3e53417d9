import { z } from 'zod';
import { uuid } from '#/features/access/contract.ts';
import { signedMessage } from '../identity/contract.ts';

/** SHA-256 in base64url. */
const challenge = z.string().regex(/^[\w-]{43}$/);

/** Inputs of the published client's calls that return to the program with a code (RFC 7636). */
export const returnInputs = {
  /** Needs both or neither. Only S256: with `plain`, the challenge is the secret. */
  challenge: z
    .object({
      code_challenge: challenge.nullish(),
      code_challenge_method: z
        .string()
        .regex(/^s256$/i)
        .nullish(),
    })
    .refine((sent) => !sent.code_challenge === !sent.code_challenge_method, {
      path: ['code_challenge_method'],
    }),
  /** Sends a program's browser to a provider. */
  link: z.object({ provider: z.string().min(1).max(31), link: uuid }),
  /** An organization's provider, by id or email domain. */
  sso: z.object({
    provider_id: z.string().max(31).optional(),
    domain: z.string().toLowerCase().max(254).optional(),
    redirect_to: z.string().max(2_000).nullish(),
  }),
  exchange: z.object({
    auth_code: z.string().min(1).max(200),
    /** Any text: each wrong one consumes the code. */
    code_verifier: z.string().max(200),
  }),
  web3: z.object({ chain: z.literal('ethereum'), ...signedMessage }),
  idToken: z.object({
    provider: z.string().min(1).max(31),
    id_token: z.string().min(1).max(16_000),
    /** The token has its SHA-256, in hexadecimal. */
    nonce: z.string().min(1).max(200),
    /** Asks to connect, not to sign in. */
    link_identity: z.boolean().optional(),
  }),
};
