import { z } from 'zod';
import { line, lines, procedure } from '#/features/access/contract.ts';
import { serviceCategories, serviceLimits } from './rules.ts';

/** Also the URL slug. */
export const serviceIdShape = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/);

const lengthPrice = z.object({
  minutes: z.number().int().min(serviceLimits.shortest).max(serviceLimits.longest),
  priceCents: z.number().int().min(0).max(serviceLimits.dearestCents),
});

export type LengthPrice = z.infer<typeof lengthPrice>;

const serviceSummary = z.object({
  id: serviceIdShape,
  title: z.string(),
  category: z.enum(serviceCategories),
  description: z.string(),
  basedOn: z.string(),
  durationMinutes: z.number().int(),
  /** Price at the service's own length. */
  priceCents: z.number().int(),
  /** Prices for other lengths; unlisted ones are prorated. */
  lengthPrices: z.array(lengthPrice),
});

const serviceDetail = serviceSummary.extend({
  supportOffered: z.string(),
  issuesAddressed: z.array(z.string()),
  spiritualThemes: z.array(z.object({ verse: z.string(), quote: z.string() })),
  relatedResources: z.array(z.string()),
});

const managedService = serviceSummary.omit({ basedOn: true }).extend({
  active: z.boolean(),
  createdAt: z.iso.datetime(),
  version: z.number().int(),
});

const serviceInput = z.object({
  title: line.min(1).max(serviceLimits.title),
  category: z.enum(serviceCategories),
  description: lines.min(1).max(serviceLimits.description),
  durationMinutes: z.number().int().min(serviceLimits.shortest).max(serviceLimits.longest),
  priceCents: z.number().int().min(0).max(serviceLimits.dearestCents),
  /** Unlisted lengths are prorated; omitted, prices stay. */
  lengthPrices: z.array(lengthPrice).max(10).optional(),
});

/** Optimistic locking: the version last seen. */
const seen = z.object({ serviceId: serviceIdShape, version: z.number().int().min(1).max(2_147_483_647) });

export type ManagedService = z.infer<typeof managedService>;
export type ServiceInput = z.infer<typeof serviceInput>;
export type SeenService = z.infer<typeof seen>;
export type ServiceSummary = z.infer<typeof serviceSummary>;
export type ServiceDetail = z.infer<typeof serviceDetail>;

const manage = procedure.meta({ access: ['manage_services'] });

export const catalogueContract = {
  services: procedure
    .meta({ access: 'public' })
    .route({ method: 'GET', path: '/services' })
    .output(z.array(serviceSummary)),
  service: procedure
    .meta({ access: 'public', example: ({ serviceId }) => ({ id: serviceId }) })
    .route({ method: 'GET', path: '/services/{id}' })
    .input(z.object({ id: serviceIdShape }))
    .output(serviceDetail),
  /** All services in order, even inactive ones. */
  managed: manage.route({ method: 'GET', path: '/admin/services' }).output(z.array(managedService)),
  add: manage
    .meta({
      writes: ['service.added service_management'],
      example: () => ({
        title: 'Marriage evenings',
        category: 'Strengthening Bonds',
        description: 'Three evenings for two.',
        durationMinutes: 75,
        priceCents: 9_000,
        lengthPrices: [{ minutes: 30, priceCents: 5_000 }],
      }),
    })
    .route({ method: 'POST', path: '/admin/services', successStatus: 201 })
    .input(serviceInput)
    .output(managedService),
  edit: manage
    .meta({
      writes: ['service.edited service_management'],
      example: ({ serviceId }) => ({
        title: 'Marriage evenings',
        category: 'Strengthening Bonds',
        description: 'Three evenings for two.',
        durationMinutes: 75,
        priceCents: 9_000,
        lengthPrices: [{ minutes: 30, priceCents: 5_000 }],
        serviceId,
        version: 1,
      }),
    })
    .route({ method: 'POST', path: '/admin/services/{serviceId}' })
    .input(serviceInput.extend(seen.shape))
    .output(managedService),
  /** Inactive services can't be booked; existing bookings remain. */
  setActive: manage
    .meta({
      writes: ['service.deactivated service_management'],
      example: ({ serviceId }) => ({ serviceId, version: 1, active: false }),
    })
    .route({ method: 'POST', path: '/admin/services/{serviceId}/active' })
    .input(seen.extend({ active: z.boolean() }))
    .output(managedService),
  /** Conflict `service_in_use` while appointments, reviews or waiting clients need it. */
  remove: manage
    .meta({
      writes: ['service.deleted service_management'],
      example: ({ serviceId }) => ({ serviceId, version: 1 }),
    })
    .route({ method: 'POST', path: '/admin/services/{serviceId}/remove', successStatus: 204 })
    .input(seen)
    .output(z.void()),
};
