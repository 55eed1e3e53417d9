import { bind } from '#/platform/http/procedures.ts';
import { applicationsProcedures } from './applications/procedures.ts';
import { providersContract } from './contract.ts';
import { credentialsProcedures } from './credentials/procedures.ts';
import { expiryProcedures } from './expiry/procedures.ts';
import { placesProcedures } from './places/procedures.ts';
import { saveListing } from './profile/commands.ts';
import { ownListing, specialistPage } from './profile/queries.ts';
import { getSpecialist, listSpecialists, practiceOf, specialistsPerService } from './queries.ts';

const os = bind(providersContract);

export const providersProcedures = os.router({
  list: os.list.handler(({ context, input }) => listSpecialists(context, input)),
  get: os.get.handler(({ context, input }) => getSpecialist(context, input.id)),
  perService: os.perService.handler(({ context }) => specialistsPerService(context)),
  bySlug: os.bySlug.handler(({ context, input }) => specialistPage(context, input.slug)),
  mine: os.mine.handler(async ({ context }) => ownListing(context, await practiceOf(context))),
  saveProfile: os.saveProfile.handler(({ context, input }) => saveListing(context, input)),
  credentials: credentialsProcedures,
  places: placesProcedures,
  applications: applicationsProcedures,
  licences: expiryProcedures,
});
