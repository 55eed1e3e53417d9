import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { applicationsContract, applicationStatuses } from './applications/contract.ts';
import { credentialsContract, publicCredential, ownCredential } from './credentials/contract.ts';
import { expiryContract, licenseEnd } from './expiry/contract.ts';
import { placesContract } from './places/contract.ts';
import { listingLimits } from './practice/rules.ts';

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
    .object({ id: uuid, status: z.enum(applicationStatuses), submittedAt: z.iso.datetime() })
    .nullable(),
});

export type ProviderStatus = z.infer<typeof providerStatus>;

const statusContract = {
  /** A person's listing, licenses and latest application. */
  get: procedure
    .meta({ access: ['manage_providers'], example: ({ providerId }) => ({ personId: providerId }) })
    .route({ method: 'GET', path: '/admin/people/{personId}/provider' })
    .input(z.object({ personId: uuid }))
    .output(providerStatus),
};

/** Client spec, section 9. */
export const sessionTypes = ['online', 'phone', 'in-person'] as const;
/** Role of faith in sessions, ascending. */
export const faithParts = ['as_you_wish', 'woven_in', 'central'] as const;

export type SessionType = (typeof sessionTypes)[number];
export type FaithPart = (typeof faithParts)[number];

/** A listed provider. `rating` is the mean review rating, null without reviews. */
export const specialist = z.object({
  id: uuid,
  /** Page path: `/therapists/{slug}`. */
  slug: z.string(),
  name: z.string(),
  /** Same-origin path; changes with every photo. */
  photoUrl: z.string().nullable(),
  kind: z.enum(['doctor', 'pastor']),
  title: z.string(),
  specialties: z.array(z.string()),
  experience: z.string(),
  location: z.string(),
  rating: z.number().nullable(),
  reviewCount: z.number().int(),
  bio: z.string(),
  education: z.array(z.string()),
  approach: z.string(),
  languages: z.array(z.string()),
  traditions: z.array(z.string()),
  faithPart: z.enum(faithParts),
  sessionTypes: z.array(z.enum(sessionTypes)),
  /** In minutes; null: all service lengths. */
  sessionLengths: z.array(z.number().int()).nullable(),
  timeZone: z.string(),
  approvesFirst: z.boolean(),
  /** Messaging is on for provider and site. */
  takesMessages: z.boolean(),
  serviceIds: z.array(serviceIdShape),
});

export type Specialist = z.infer<typeof specialist>;

const specialistPage = specialist.extend({
  credentials: z.array(publicCredential),
  towns: z.array(z.string()),
});

export type SpecialistPage = z.infer<typeof specialistPage>;

const listing = {
  title: line.min(1).max(listingLimits.title),
  specialties: z.array(line.min(1).max(listingLimits.specialty)).min(1).max(listingLimits.specialties),
  experience: line.min(1).max(listingLimits.experience),
  location: line.min(1).max(listingLimits.location),
  bio: lines.min(1).max(listingLimits.bio),
  education: z.array(line.min(1).max(listingLimits.education)).max(listingLimits.educations),
  approach: lines.max(listingLimits.approach),
  languages: z.array(line.min(1).max(listingLimits.language)).min(1).max(listingLimits.languages),
  traditions: z.array(line.min(1).max(listingLimits.tradition)).max(listingLimits.traditions),
  faithPart: z.enum(faithParts),
  sessionTypes: z.array(z.enum(sessionTypes)).min(1).max(sessionTypes.length),
  serviceIds: z.array(serviceIdShape).min(1).max(listingLimits.services),
  /** For phone sessions; shown to clients who booked one. Empty: none. */
  phone: z
    .string()
    .trim()
    .max(listingLimits.phone)
    .regex(/^[+0-9 ().\-/x]*$/),
};

/** Version being edited. Saving fails if it's outdated. */
const version = z.number().int().min(1).max(2_147_483_647);

const listingInput = z.object({ ...listing, version });

export type ListingInput = z.infer<typeof listingInput>;

const ownListing = specialist
  .omit({ rating: true, reviewCount: true, approvesFirst: true, takesMessages: true })
  .extend({
    phone: z.string(),
    version: z.number().int(),
    listed: z.boolean(),
    licenseEnd: licenseEnd.nullable(),
    revokedReason: z.string().nullable(),
  });

export type OwnListing = z.infer<typeof ownListing>;

const own = procedure.meta({ access: ['manage_own_profile'] });

export const providersContract = {
  /** Listed providers in directory order, up to `limit`, optionally filtered by service. */
  list: procedure
    .meta({ access: 'public', example: ({ serviceId }) => ({ serviceId, limit: 10 }) })
    .route({ method: 'GET', path: '/specialists' })
    .input(
      z.object({
        serviceId: serviceIdShape.optional(),
        limit: z.coerce.number().int().min(1).max(100).default(50),
      }),
    )
    .output(z.array(specialist)),
  get: procedure
    .meta({ access: 'public', example: ({ providerId }) => ({ id: providerId }) })
    .route({ method: 'GET', path: '/specialists/{id}' })
    .input(z.object({ id: uuid }))
    .output(specialist),
  /** Counts providers per service, including unlisted ones. Omits services nobody offers. */
  perService: procedure
    .meta({ access: ['manage_services'] })
    .route({ method: 'GET', path: '/admin/services/specialists' })
    .output(z.array(z.object({ serviceId: serviceIdShape, specialists: z.number().int() }))),
  bySlug: procedure
    .meta({ access: 'public', example: () => ({ slug: 'ruth-amsel' }) })
    .route({ method: 'GET', path: '/specialists/by-address/{slug}' })
    .input(
      z.object({
        slug: z
          .string()
          .max(80)
          .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
      }),
    )
    .output(specialistPage),
  mine: own.route({ method: 'GET', path: '/practice' }).output(ownListing),
  /** Saves your listing if `version` is current. */
  saveProfile: own
    .meta({
      writes: ['provider.listing_changed user_management provider'],
      example: ({ serviceId }) => ({
        title: 'Psychologist',
        specialties: ['Anxiety'],
        experience: '10 years',
        location: 'Chicago, IL',
        bio: 'Listens.',
        education: ['PsyD'],
        approach: 'Gentle',
        languages: ['English'],
        traditions: ['SDA'],
        faithPart: 'as_you_wish',
        sessionTypes: ['online'],
        serviceIds: [serviceId],
        phone: '+1 555 010 0142',
        version: 1,
      }),
    })
    .route({ method: 'POST', path: '/practice' })
    .input(listingInput)
    .output(ownListing),
  credentials: credentialsContract,
  places: placesContract,
  applications: applicationsContract,
  licenses: expiryContract,
  status: statusContract,
};
