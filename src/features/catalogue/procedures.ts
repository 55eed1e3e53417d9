import { bind } from '#/platform/http/procedures.ts';
import { catalogueContract } from './contract.ts';
import { service, services } from './queries.ts';

const os = bind(catalogueContract);

/** The catalogue's procedures. */
export const catalogueProcedures = os.router({
  services: os.services.handler(({ context }) => services(context)),
  service: os.service.handler(({ context, input }) => service(context, input.id)),
});
