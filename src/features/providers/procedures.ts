import { bind } from '#/platform/http/procedures.ts';
import { providersContract } from './contract.ts';
import { getSpecialist, listSpecialists } from './queries.ts';

const os = bind(providersContract);

/** The directory's procedures. */
export const providersProcedures = os.router({
  list: os.list.handler(({ context, input }) => listSpecialists(context, input)),
  get: os.get.handler(({ context, input }) => getSpecialist(context, input.id)),
});
