import { z } from 'zod';
import { procedure, uuid } from '#/features/access/contract.ts';

/** An expiring or expired license or ordination. Expired: hidden from the directory. */
export const licenseEnd = z.object({
  until: z.iso.date(),
  state: z.enum(['ending', 'ended']),
});

export type LicenseEnd = z.infer<typeof licenseEnd>;

const endingLicense = licenseEnd.extend({
  id: uuid,
  slug: z.string(),
  name: z.string(),
  title: z.string(),
  renewing: z.boolean(),
});

export type EndingLicense = z.infer<typeof endingLicense>;

export const expiryContract = {
  /** Providers with an expiring or expired license or ordination, earliest end first. */
  list: procedure
    .meta({ access: ['manage_providers'], example: () => ({ offset: 0, limit: 10 }) })
    .route({ method: 'GET', path: '/admin/licenses' })
    .input(
      z.object({
        offset: z.coerce.number().int().min(0).max(100_000).default(0),
        limit: z.coerce.number().int().min(1).max(50).default(10),
      }),
    )
    .output(z.array(endingLicense)),
};
