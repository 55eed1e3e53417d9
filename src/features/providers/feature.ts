import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import {
  addProvider,
  approveApplication,
  checkApplication,
  lookThroughApplications,
  rejectApplication,
  submitApplication,
  withdrawApplication,
} from './applications/commands.ts';
import { applicationsPersonal } from './applications/personal.ts';
import { ownApplication } from './applications/queries.ts';
import { documentMegabytes } from './documents/rules.ts';
import { providersContract } from './contract.ts';
import {
  approveCredential,
  rejectCredential,
  submitCredential,
  withdrawCredential,
} from './credentials/commands.ts';
import { ownCredentials, waitingCredentialCount, waitingCredentials } from './credentials/queries.ts';
import { forgetUnsentDocuments, removeDocument, uploadDocument } from './documents/commands.ts';
import { sealedDocumentName } from './documents/queries.ts';
import { followLicences } from './expiry/commands.ts';
import { endingLicences } from './expiry/queries.ts';
import { providersPersonal } from './personal.ts';
import { addPlace, closePlace, editPlace, orderPlaces } from './places/commands.ts';
import { ownPlaces } from './places/queries.ts';
import { requirePractice } from './practice/policies.ts';
import { requireSpecialist, requireSpecialistPage } from './policies.ts';
import { saveListing } from './commands.ts';
import { listedSlugs, listSpecialists, ownListing, specialistsPerService } from './queries.ts';
import { standingOf } from './standing/queries.ts';
import { providersReactions } from './reactions.ts';

const os = bind(providersContract);

const credentials = os.credentials.router({
  mine: os.credentials.mine.handler(async ({ context }) =>
    ownCredentials(context, await requirePractice(context)),
  ),
  submit: os.credentials.submit.handler(({ context, input }) => submitCredential(context, input)),
  withdraw: os.credentials.withdraw.handler(({ context, input }) =>
    withdrawCredential(context, input.credentialId),
  ),
  waitingCount: os.credentials.waitingCount.handler(({ context }) => waitingCredentialCount(context)),
  waiting: os.credentials.waiting.handler(({ context, input }) => waitingCredentials(context, input)),
  approve: os.credentials.approve.handler(({ context, input }) =>
    approveCredential(context, input.credentialId),
  ),
  reject: os.credentials.reject.handler(({ context, input }) =>
    rejectCredential(context, input.credentialId, input.reason),
  ),
});

const places = os.places.router({
  list: os.places.list.handler(async ({ context }) => ownPlaces(context, await requirePractice(context))),
  add: os.places.add.handler(({ context, input }) => addPlace(context, input)),
  edit: os.places.edit.handler(({ context, input: { placeId, ...words } }) =>
    editPlace(context, placeId, words),
  ),
  close: os.places.close.handler(({ context, input }) => closePlace(context, input.placeId, input.closed)),
  order: os.places.order.handler(({ context, input }) => orderPlaces(context, input.placeIds)),
});

const applications = os.applications.router({
  mine: os.applications.mine.handler(({ context }) => ownApplication(context)),
  submit: os.applications.submit.handler(({ context, input }) => submitApplication(context, input)),
  withdraw: os.applications.withdraw.handler(({ context, input }) =>
    withdrawApplication(context, input.applicationId),
  ),
  removeDocument: os.applications.removeDocument.handler(({ context, input }) =>
    removeDocument(context, input.documentId),
  ),
  list: os.applications.list.handler(({ context, input }) => lookThroughApplications(context, input)),
  check: os.applications.check.handler(({ context, input }) =>
    checkApplication(context, input.applicationId),
  ),
  approve: os.applications.approve.handler(({ context, input }) =>
    approveApplication(context, input.applicationId),
  ),
  reject: os.applications.reject.handler(({ context, input }) =>
    rejectApplication(context, input.applicationId, input.reason),
  ),
  add: os.applications.add.handler(({ context, input }) => addProvider(context, input)),
});

const licences = os.licences.router({
  list: os.licences.list.handler(({ context, input }) => endingLicences(context, input)),
});

const standing = os.standing.router({
  get: os.standing.get.handler(({ context, input }) => standingOf(context, input.personId)),
});

export const providers = defineFeature({
  handlers: () => ({
    providers: os.router({
      list: os.list.handler(({ context, input }) => listSpecialists(context, input)),
      get: os.get.handler(({ context, input }) => requireSpecialist(context, input.id)),
      perService: os.perService.handler(({ context }) => specialistsPerService(context)),
      bySlug: os.bySlug.handler(({ context, input }) => requireSpecialistPage(context, input.slug)),
      mine: os.mine.handler(async ({ context }) => ownListing(context, await requirePractice(context))),
      saveProfile: os.saveProfile.handler(({ context, input }) => saveListing(context, input)),
      credentials,
      places,
      applications,
      licences,
      standing,
    }),
  }),
  uploads: [
    { path: '/application/documents', maxBytes: documentMegabytes * 1024 * 1024, receive: uploadDocument },
  ],
  reactions: () => providersReactions,
  personal: [applicationsPersonal, providersPersonal],
  tidy: [forgetUnsentDocuments, followLicences],
  sealed: [sealedDocumentName],
  sitemap: async (ctx) => (await listedSlugs(ctx)).map((slug) => ({ path: `/therapists/${slug}` })),
});
