import { z } from 'zod';
import { procedure } from '#/features/access/contract.ts';

/** A service's identifier, as in its address. */
export const serviceId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/);

/** A service as lists show it. */
const serviceSummary = z.object({
  id: serviceId,
  title: z.string(),
  category: z.string(),
  description: z.string(),
  basedOn: z.string(),
  durationMinutes: z.number().int(),
  priceCents: z.number().int(),
});

/** A service with everything that its own page shows. */
const serviceDetail = serviceSummary.extend({
  supportOffered: z.string(),
  issuesAddressed: z.array(z.string()),
  spiritualThemes: z.array(z.object({ verse: z.string(), quote: z.string() })),
  relatedResources: z.array(z.string()),
});

export type ServiceSummary = z.infer<typeof serviceSummary>;
export type ServiceDetail = z.infer<typeof serviceDetail>;

export const catalogueContract = {
  services: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/services' })
    .output(z.array(serviceSummary)),
  service: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/services/{id}' })
    .input(z.object({ id: serviceId }))
    .output(serviceDetail),
};
