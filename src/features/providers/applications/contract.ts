import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { timeZoneName } from '#/features/accounts/contract.ts';
import { serviceIdShape } from '#/features/catalogue/contract.ts';
import { calendarDate, credentialKinds } from '../credentials/contract.ts';
import { credentialLimits } from '../practice/rules.ts';
import { applicationDocument } from '../documents/contract.ts';
import { maxDocuments } from '../documents/rules.ts';
import { applicationLimits } from './rules.ts';

/** Administrator spec, section 3. */
export const applicationStatuses = ['pending', 'approved', 'rejected'] as const;

export type ApplicationStatus = (typeof applicationStatuses)[number];

const credentialWords = {
  credentialKind: z.enum(credentialKinds),
  number: line.min(1).max(credentialLimits.number),
  issuer: line.min(1).max(credentialLimits.issuer),
  region: line.min(1).max(credentialLimits.region),
  expiresOn: calendarDate.optional(),
};

const phone = z
  .string()
  .trim()
  .max(applicationLimits.phone)
  .regex(/^[+0-9 ().\-/x]*$/);

const educations = z.array(line.min(1).max(applicationLimits.education)).max(applicationLimits.educations);
const languages = z.array(line.min(1).max(applicationLimits.language)).max(applicationLimits.languages);
const serviceIds = z.array(serviceIdShape).max(applicationLimits.services);

const submitInput = z.object({
  fullName: line.min(1).max(applicationLimits.fullName),
  phone,
  type: z.enum(['doctor', 'pastor']),
  specialization: line.min(1).max(applicationLimits.specialization),
  experience: line.min(1).max(applicationLimits.experience),
  education: educations,
  location: line.min(1).max(applicationLimits.location),
  timeZone: timeZoneName,
  bio: lines.min(1).max(applicationLimits.bio),
  serviceIds: serviceIds.min(1),
  languages: languages.min(1),
  ...credentialWords,
  documentIds: z.array(uuid).min(1).max(maxDocuments),
});

export type SubmitInput = z.infer<typeof submitInput>;

const ownApplication = z.object({
  id: uuid,
  status: z.enum(applicationStatuses),
  type: z.enum(['doctor', 'pastor']),
  specialization: z.string(),
  submittedAt: z.iso.datetime(),
  decidedAt: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
  documents: z.array(applicationDocument),
});

export type OwnApplication = z.infer<typeof ownApplication>;

const application = ownApplication.extend({
  personId: uuid,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  experience: z.string(),
  education: z.array(z.string()),
  location: z.string(),
  timeZone: z.string(),
  bio: z.string(),
  languages: z.array(z.string()),
  /** Titles of services still offered. */
  services: z.array(z.string()),
  credential: z.object({
    kind: z.enum(credentialKinds),
    number: z.string(),
    issuer: z.string(),
    region: z.string(),
    expiresOn: z.string().nullable(),
  }),
  /** When approval was revoked; null if it wasn't. */
  revokedAt: z.iso.datetime().nullable(),
});

export type Application = z.infer<typeof application>;

const checkedApplication = application.extend({
  /** `openedAt`: when the requesting administrator last opened it. */
  documents: z.array(applicationDocument.extend({ openedAt: z.iso.datetime().nullable() })),
  expired: z.boolean(),
});

export type CheckedApplication = z.infer<typeof checkedApplication>;

/** Provider form (administrator spec, section 3). */
const addInput = z.object({
  fullName: line.min(1).max(applicationLimits.fullName),
  email: z.string().trim().toLowerCase().max(254).check(z.email()),
  phone: phone.default(''),
  type: z.enum(['doctor', 'pastor']),
  specialization: line.min(1).max(applicationLimits.specialization),
  experience: line.max(applicationLimits.experience).default(''),
  education: educations.default([]),
  location: line.max(applicationLimits.location).default(''),
  timeZone: timeZoneName.optional(),
  bio: lines.max(applicationLimits.bio).default(''),
  serviceIds: serviceIds.default([]),
  languages: languages.default([]),
  credential: z.object(credentialWords).optional(),
  inPerson: z.boolean().optional(),
  /** Promotes an existing client account with this address. */
  existing: z.boolean().default(false),
});

export type AddInput = z.infer<typeof addInput>;

const signedIn = procedure.meta({ access: 'signed_in' });
const administrator = procedure.meta({ access: ['manage_providers'] });
const one = z.object({ applicationId: uuid });
const decided = z.object({ id: uuid, status: z.enum(applicationStatuses) });

export const applicationsContract = {
  /** Latest application, and documents not submitted yet. */
  mine: signedIn
    .route({ method: 'GET', path: '/application' })
    .output(z.object({ application: ownApplication.nullable(), documents: z.array(applicationDocument) })),
  /** Applies; only one application may be pending. */
  submit: signedIn
    .meta({
      writes: ['provider.application_submitted provider_approval application'],
      example: ({ id, serviceId }) => ({
        fullName: 'Naomi Field',
        phone: '+1 555 010 0142',
        type: 'doctor',
        specialization: 'Grief',
        experience: '12 years',
        education: ['PsyD'],
        location: 'Boston, MA',
        timeZone: 'America/New_York',
        bio: 'Listens.',
        serviceIds: [serviceId],
        languages: ['English'],
        credentialKind: 'licence',
        number: 'PSY 12345',
        issuer: 'Board of Psychology',
        region: 'New York',
        expiresOn: '2099-12-31',
        documentIds: [id],
      }),
    })
    .route({ method: 'POST', path: '/application' })
    .input(submitInput)
    .output(ownApplication),
  withdraw: signedIn
    .meta({
      writes: ['provider.application_withdrawn provider_approval application'],
      example: ({ id }) => ({ applicationId: id }),
    })
    .route({ method: 'POST', path: '/application/{applicationId}/withdraw' })
    .input(one)
    .output(z.object({ id: uuid })),
  removeDocument: signedIn
    .meta({
      writes: ['provider.document_removed provider_approval document'],
      example: ({ id }) => ({ documentId: id }),
    })
    .route({ method: 'POST', path: '/application/documents/{documentId}/remove' })
    .input(z.object({ documentId: uuid }))
    .output(z.object({ id: uuid })),
  /** One status, newest first, with counts per status. `after` is the cursor. */
  list: administrator
    .meta({
      writes: ['provider.applications_viewed provider_approval'],
      example: ({ id }) => ({ status: 'pending', after: id, limit: 10 }),
    })
    .route({ method: 'GET', path: '/admin/applications' })
    .input(
      z.object({
        status: z.enum(applicationStatuses).default('pending'),
        after: uuid.optional(),
        limit: z.coerce.number().int().min(1).max(50).default(10),
      }),
    )
    .output(
      z.object({
        applications: z.array(application),
        more: z.boolean(),
        counts: z.object({
          pending: z.number().int(),
          approved: z.number().int(),
          rejected: z.number().int(),
        }),
      }),
    ),
  /** In any status, with the documents already opened. */
  check: administrator
    .meta({
      writes: ['provider.applications_viewed provider_approval application'],
      example: ({ id }) => ({ applicationId: id }),
    })
    .route({ method: 'GET', path: '/admin/applications/{applicationId}/check' })
    .input(one)
    .output(checkedApplication),
  /** Makes the applicant a listed provider. Requires every document to have been opened. */
  approve: administrator
    .meta({
      writes: [
        'provider.created provider_approval provider',
        'provider.credential_approved provider_approval credential',
        'provider.application_approved provider_approval application',
      ],
      example: ({ id }) => ({ applicationId: id }),
    })
    .route({ method: 'POST', path: '/admin/applications/{applicationId}/approve' })
    .input(one)
    .output(decided),
  reject: administrator
    .meta({
      writes: ['provider.application_rejected provider_approval application'],
      example: ({ id }) => ({ applicationId: id, reason: 'It has ended.' }),
    })
    .route({ method: 'POST', path: '/admin/applications/{applicationId}/reject' })
    .input(one.extend({ reason: lines.min(1).max(applicationLimits.reason) }))
    .output(decided),
  add: administrator
    .meta({
      writes: [
        'account_created user_management person',
        'provider.created provider_approval provider',
        'provider.credential_approved provider_approval credential',
      ],
      example: ({ serviceId }) => ({
        fullName: 'Jonah Reed',
        email: 'jonah.reed@people.example',
        phone: '+1 555 010 0142',
        type: 'pastor',
        specialization: 'Youth',
        experience: '12 years',
        education: ['PsyD'],
        location: 'Boston, MA',
        timeZone: 'America/New_York',
        bio: 'Listens.',
        serviceIds: [serviceId],
        languages: ['English'],
        credential: {
          credentialKind: 'ordination',
          number: 'O 1',
          issuer: 'The church',
          region: 'Ohio',
          expiresOn: '2099-12-31',
        },
        existing: false,
      }),
    })
    .route({ method: 'POST', path: '/admin/specialists' })
    .input(addInput)
    .output(z.object({ id: uuid, slug: z.string(), name: z.string() })),
};
