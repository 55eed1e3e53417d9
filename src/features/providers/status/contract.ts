import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';
import { applicationStatuses } from '../applications/contract.ts';
import { ownCredential } from '../credentials/contract.ts';

const providerStatus = z.object({
  /** Null for people who aren't providers. */
  listing: z
    .object({
      slug: z.string(),
      title: z.string(),
      /** In the directory. */
      listed: z.boolean(),
      /** When an administrator revoked approval. */
      revokedAt: z.iso.datetime().nullable(),
    })
    .nullable(),
  credentials: z.array(ownCredential),
  /** The latest one. */
  application: z
    .object({ id: z.uuid(), status: z.enum(applicationStatuses), submittedAt: z.iso.datetime() })
    .nullable(),
});

export type ProviderStatus = z.infer<typeof providerStatus>;

export const statusContract = {
  /** A person's listing, licenses and latest application. */
  get: procedure
    .meta({ access: ['manage_providers'], example: ({ providerId }) => ({ personId: providerId }) })
    .route({ method: 'GET', path: '/admin/people/{personId}/provider' })
    .input(z.object({ personId: z.uuid() }))
    .output(providerStatus),
};
