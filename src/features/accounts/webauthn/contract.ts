import { z } from 'zod';

const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/);

/** Up to 1,023 bytes (Web Authentication, section 4). */
const credentialId = bytes(1_364);

/** 32 bytes derived from `prfInput` (PRF extension). */
const prf = z
  .string()
  .regex(/^[\w-]{43}$/)
  .optional();

/** An authenticator's answer to a challenge. */
export const assertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4_000),
    authenticatorData: bytes(4_000),
    signature: bytes(2_000),
    userHandle: bytes(100).optional(),
  }),
  prf,
});

export type Assertion = z.infer<typeof assertion>;

/** An authenticator's answer when it made a passkey. */
export const attestation = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(16_000),
    transports: z.array(z.string().min(1).max(32)).max(10).optional(),
  }),
  prf,
});

export type Attestation = z.infer<typeof attestation>;

const descriptors = z.array(
  z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()).optional() }),
);

/** WebAuthn options for using a passkey. */
export const requestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number(),
  userVerification: z.literal('required'),
  /** Any passkey of the site if missing. */
  allowCredentials: descriptors.optional(),
});

export type RequestOptions = z.infer<typeof requestOptions>;

/** WebAuthn options for creating a passkey. */
export const creationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number(),
  attestation: z.literal('none'),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  excludeCredentials: descriptors,
  extensions: z.object({ credProps: z.literal(true) }),
});

export type CreationOptions = z.infer<typeof creationOptions>;
