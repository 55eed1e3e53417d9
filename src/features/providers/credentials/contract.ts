import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';

/** What makes somebody a licensed clinician or an ordained counsellor. */
export const credentialKinds = ['licence', 'ordination'] as const;
/** Where a credential stands, as far as anybody is shown it. */
const credentialStates = ['pending', 'approved', 'rejected'] as const;

export type CredentialKind = (typeof credentialKinds)[number];
export type CredentialState = (typeof credentialStates)[number];

/** The longest that each part of a credential may be, in characters. */
export const credentialLimits = { number: 100, issuer: 200, region: 100, reason: 500 } as const;

export type CredentialLimits = typeof credentialLimits;

/** A calendar day, `YYYY-MM-DD`, in years that every part of the product can count in. */
export const calendarDate = z.iso.date().regex(/^(19|2\d)/);

/** A credential as everybody may see it: without its number. */
export const publicCredential = z.object({
  id: z.uuid(),
  kind: z.enum(credentialKinds),
  issuer: z.string(),
  region: z.string(),
  /** The month in which it ends, such as `2027-03`; null for one without an end. */
  validUntil: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .nullable(),
});

export type PublicCredential = z.infer<typeof publicCredential>;

const words = {
  id: z.uuid(),
  kind: z.enum(credentialKinds),
  number: z.string(),
  issuer: z.string(),
  region: z.string(),
  /** The last day on which it holds; null for one without an end. */
  expiresOn: z.string().nullable(),
};

/** A credential as the specialist whose it is sees it. */
const ownCredential = z.object({
  ...words,
  state: z.enum(credentialStates),
  /** Why it wasn't approved. */
  reason: z.string().nullable(),
  /** Whether the page doesn't show it, since its last day is past. */
  expired: z.boolean(),
  /** The approved one that it would take the place of. */
  replaces: z.uuid().nullable(),
  submittedAt: z.iso.datetime(),
});

export type OwnCredential = z.infer<typeof ownCredential>;

/** A credential that waits, as administrators decide on it. */
const waitingCredential = z.object({
  ...words,
  submittedAt: z.iso.datetime(),
  provider: z.object({
    id: z.uuid(),
    slug: z.string(),
    name: z.string(),
    kind: z.enum(['doctor', 'pastor']),
    title: z.string(),
  }),
  /** The approved one that it would take the place of. */
  current: z.object(words).nullable(),
});

export type WaitingCredential = z.infer<typeof waitingCredential>;

const submitInput = z.object({
  kind: z.enum(credentialKinds),
  number: line.min(1).max(credentialLimits.number),
  issuer: line.min(1).max(credentialLimits.issuer),
  region: line.min(1).max(credentialLimits.region),
  expiresOn: calendarDate.optional(),
  replaces: z.uuid().optional(),
});

export type SubmitInput = z.infer<typeof submitInput>;

const own = procedure.meta({ access: ['manage_own_profile'] });
const administrator = procedure.meta({ access: ['manage_providers'] });
const one = z.object({ credentialId: z.uuid() });
const decided = z.object({ id: z.uuid(), state: z.enum(credentialStates) });

export const credentialsContract = {
  /** The specialist's own: what is approved, what waits, and what wasn't approved last. */
  mine: own.route({ method: 'GET', path: '/practice/credentials' }).output(z.array(ownCredential)),
  /** Sends a credential, or a change of an approved one, to be checked; one waits at a time. */
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
  /** Takes back what waits, or puts away what wasn't approved. */
  withdraw: own
    .meta({
      writes: ['provider.credential_withdrawn provider_approval credential'],
      example: ({ id }) => ({ credentialId: id }),
    })
    .route({ method: 'POST', path: '/practice/credentials/{credentialId}/withdraw' })
    .input(one)
    .output(z.object({ id: z.uuid() })),
  waitingCount: administrator
    .route({ method: 'GET', path: '/credentials/waiting-count' })
    .output(z.object({ waiting: z.number().int() })),
  /** Those that wait for a decision, longest first. */
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
  /** Puts it on the specialist's page, in the place of what it replaces. */
  approve: administrator
    .meta({
      writes: ['provider.credential_approved provider_approval credential'],
      example: ({ id }) => ({ credentialId: id }),
    })
    .route({ method: 'POST', path: '/credentials/{credentialId}/approve' })
    .input(one)
    .output(decided),
  /** Gives it back; the specialist reads the reason. What was approved before stays. */
  reject: administrator
    .meta({
      writes: ['provider.credential_rejected provider_approval credential'],
      example: ({ id }) => ({ credentialId: id, reason: 'It has ended.' }),
    })
    .route({ method: 'POST', path: '/credentials/{credentialId}/reject' })
    .input(one.extend({ reason: lines.min(1).max(credentialLimits.reason) }))
    .output(decided),
};
