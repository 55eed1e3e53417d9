import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { credentialLimits } from '../practice/rules.ts';

/** `licence` is how licenses are stored. */
export const credentialKinds = ['licence', 'ordination'] as const;
/** Visible states; `replaced` is internal. */
const credentialStates = ['pending', 'approved', 'rejected'] as const;

export type CredentialKind = (typeof credentialKinds)[number];
export type CredentialState = (typeof credentialStates)[number];

/** `YYYY-MM-DD`, limited to years every part of the product supports. */
export const calendarDate = z.iso.date().regex(/^(19|2\d)/);

/** Public view, without the credential number. */
export const publicCredential = z.object({
  id: uuid,
  kind: z.enum(credentialKinds),
  issuer: z.string(),
  region: z.string(),
  /** Expiry month, such as `2027-03`; null: never expires. */
  validUntil: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .nullable(),
});

export type PublicCredential = z.infer<typeof publicCredential>;

const words = {
  id: uuid,
  kind: z.enum(credentialKinds),
  number: z.string(),
  issuer: z.string(),
  region: z.string(),
  /** Last valid day; null: never expires. */
  expiresOn: z.string().nullable(),
};

export const ownCredential = z.object({
  ...words,
  state: z.enum(credentialStates),
  reason: z.string().nullable(),
  /** Past its last valid day: hidden. */
  expired: z.boolean(),
  replaces: uuid.nullable(),
  submittedAt: z.iso.datetime(),
});

export type OwnCredential = z.infer<typeof ownCredential>;

const waitingCredential = z.object({
  ...words,
  submittedAt: z.iso.datetime(),
  provider: z.object({
    id: uuid,
    slug: z.string(),
    name: z.string(),
    kind: z.enum(['doctor', 'pastor']),
    title: z.string(),
  }),
  current: z.object(words).nullable(),
});

export type WaitingCredential = z.infer<typeof waitingCredential>;

const submitInput = z.object({
  kind: z.enum(credentialKinds),
  number: line.min(1).max(credentialLimits.number),
  issuer: line.min(1).max(credentialLimits.issuer),
  region: line.min(1).max(credentialLimits.region),
  expiresOn: calendarDate.optional(),
  replaces: uuid.optional(),
});

export type SubmitInput = z.infer<typeof submitInput>;

const own = procedure.meta({ access: ['manage_own_profile'] });
const administrator = procedure.meta({ access: ['manage_providers'] });
const one = z.object({ credentialId: uuid });
const decided = z.object({ id: uuid, state: z.enum(credentialStates) });

export const credentialsContract = {
  /** Your approved, pending and last rejected credentials. */
  mine: own.route({ method: 'GET', path: '/practice/credentials' }).output(z.array(ownCredential)),
  /** Submits a credential; at most one is pending. */
  submit: own
    .meta({
      writes: ['provider.credential_submitted provider_approval credential'],
      example: ({ id }) => ({
        kind: 'licence',
        number: 'PSY 12345',
        issuer: 'Board of Psychology',
        region: 'New York',
        expiresOn: '2099-12-31',
        replaces: id,
      }),
    })
    .route({ method: 'POST', path: '/practice/credentials' })
    .input(submitInput)
    .output(ownCredential),
  withdraw: own
    .meta({
      writes: ['provider.credential_withdrawn provider_approval credential'],
      example: ({ id }) => ({ credentialId: id }),
    })
    .route({ method: 'POST', path: '/practice/credentials/{credentialId}/withdraw' })
    .input(one)
    .output(z.object({ id: uuid })),
  waitingCount: administrator
    .route({ method: 'GET', path: '/credentials/waiting-count' })
    .output(z.object({ waiting: z.number().int() })),
  /** Pending credentials, oldest first. */
  waiting: administrator
    .meta({ example: () => ({ offset: 0, limit: 10 }) })
    .route({ method: 'GET', path: '/credentials/waiting' })
    .input(
      z.object({
        offset: z.coerce.number().int().min(0).max(100_000).default(0),
        limit: z.coerce.number().int().min(1).max(50).default(10),
      }),
    )
    .output(z.array(waitingCredential)),
  approve: administrator
    .meta({
      writes: ['provider.credential_approved provider_approval credential'],
      example: ({ id }) => ({ credentialId: id }),
    })
    .route({ method: 'POST', path: '/credentials/{credentialId}/approve' })
    .input(one)
    .output(decided),
  reject: administrator
    .meta({
      writes: ['provider.credential_rejected provider_approval credential'],
      example: ({ id }) => ({ credentialId: id, reason: 'It has ended.' }),
    })
    .route({ method: 'POST', path: '/credentials/{credentialId}/reject' })
    .input(one.extend({ reason: lines.min(1).max(credentialLimits.reason) }))
    .output(decided),
};
