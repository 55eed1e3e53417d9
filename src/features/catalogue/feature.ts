import { defineFeature } from '#/platform/feature.ts';
import { handle } from '#/platform/http/bind.ts';
import { addService, editService, removeService, setServiceActive } from './commands.ts';
import { catalogueContract } from './contract.ts';
import { managedServices, service, services } from './queries.ts';

export const catalogue = defineFeature({
  handlers: () => ({
    catalogue: handle(catalogueContract, {
      services,
      service: (ctx, input) => service(ctx, input.id),
      managed: managedServices,
      add: addService,
      edit: editService,
      setActive: setServiceActive,
      remove: removeService,
    }),
  }),
  sitemap: async (ctx) => (await services(ctx)).map(({ id }) => ({ path: `/service/${id}` })),
});
