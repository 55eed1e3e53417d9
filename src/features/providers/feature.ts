import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import {
  addProvider,
  approveApplication,
  checkApplication,
  viewApplications,
  rejectApplication,
  submitApplication,
  withdrawApplication,
} from './applications/commands.ts';
import { applicationsPersonal } from './applications/personal.ts';
import { ownApplication } from './applications/queries.ts';
import { maxDocumentMegabytes } from './documents/rules.ts';
import { providersContract } from './contract.ts';
import {
  approveCredential,
  rejectCredential,
  submitCredential,
  withdrawCredential,
} from './credentials/commands.ts';
import { ownCredentials, waitingCredentialCount, waitingCredentials } from './credentials/queries.ts';
import { deleteUnsentDocuments, removeDocument, uploadDocument } from './documents/commands.ts';
import { sealedDocumentName } from './documents/queries.ts';
import { followLicenses } from './expiry/commands.ts';
import { endingLicenses } from './expiry/queries.ts';
import { providersPersonal } from './personal.ts';
import { addPlace, closePlace, editPlace, orderPlaces } from './places/commands.ts';
import { ownPlaces } from './places/queries.ts';
import { requirePractice } from './practice/policies.ts';
import { requireSpecialist, requireSpecialistPage } from './policies.ts';
import { saveListing } from './commands.ts';
import {
  listedSlugs,
  listSpecialists,
  ownListing,
  specialistsPerService,
  providerStatus,
} from './queries.ts';
import { providersReactions } from './reactions.ts';

const credentials = handle(providersContract.credentials, {
  mine: async (ctx) => ownCredentials(ctx, await requirePractice(ctx)),
  submit: submitCredential,
  withdraw: (ctx, input) => withdrawCredential(ctx, input.credentialId),
  waitingCount: waitingCredentialCount,
  waiting: waitingCredentials,
  approve: (ctx, input) => approveCredential(ctx, input.credentialId),
  reject: (ctx, input) => rejectCredential(ctx, input.credentialId, input.reason),
});

const places = handle(providersContract.places, {
  list: async (ctx) => ownPlaces(ctx, await requirePractice(ctx)),
  add: addPlace,
  edit: (ctx, { placeId, ...words }) => editPlace(ctx, placeId, words),
  close: (ctx, input) => closePlace(ctx, input.placeId, input.closed),
  order: (ctx, input) => orderPlaces(ctx, input.placeIds),
});

const applications = handle(providersContract.applications, {
  mine: ownApplication,
  submit: submitApplication,
  withdraw: (ctx, input) => withdrawApplication(ctx, input.applicationId),
  removeDocument: (ctx, input) => removeDocument(ctx, input.documentId),
  list: viewApplications,
  check: (ctx, input) => checkApplication(ctx, input.applicationId),
  approve: (ctx, input) => approveApplication(ctx, input.applicationId),
  reject: (ctx, input) => rejectApplication(ctx, input.applicationId, input.reason),
  add: addProvider,
});

const licenses = handle(providersContract.licenses, {
  list: endingLicenses,
});

const status = handle(providersContract.status, {
  get: (ctx, input) => providerStatus(ctx, input.personId),
});

export const providers = defineFeature({
  handlers: () => ({
    providers: handle(providersContract, {
      list: listSpecialists,
      get: (ctx, input) => requireSpecialist(ctx, input.id),
      perService: specialistsPerService,
      bySlug: (ctx, input) => requireSpecialistPage(ctx, input.slug),
      mine: async (ctx) => ownListing(ctx, await requirePractice(ctx)),
      saveProfile: saveListing,
      credentials,
      places,
      applications,
      licenses,
      status,
    }),
  }),
  uploads: [
    { path: '/application/documents', maxBytes: maxDocumentMegabytes * 1024 * 1024, receive: uploadDocument },
  ],
  reactions: () => providersReactions,
  personal: [applicationsPersonal, providersPersonal],
  tidy: [deleteUnsentDocuments, followLicenses],
  sealed: [sealedDocumentName],
  sitemap: async (ctx) => (await listedSlugs(ctx)).map((slug) => ({ path: `/therapists/${slug}` })),
});
