import { defineFeature } from '#/platform/feature.ts';
import { bind } from '#/platform/http/bind.ts';
import { addService, editService, removeService, setServiceActive } from './commands.ts';
import { catalogueContract } from './contract.ts';
import { managedServices, service, services } from './queries.ts';

const os = bind(catalogueContract);

export const catalogue = defineFeature({
  handlers: () => ({
    catalogue: os.router({
      services: os.services.handler(({ context }) => services(context)),
      service: os.service.handler(({ context, input }) => service(context, input.id)),
      managed: os.managed.handler(({ context }) => managedServices(context)),
      add: os.add.handler(({ context, input }) => addService(context, input)),
      edit: os.edit.handler(({ context, input }) => editService(context, input)),
      setActive: os.setActive.handler(({ context, input }) => setServiceActive(context, input)),
      remove: os.remove.handler(({ context, input }) => removeService(context, input)),
    }),
  }),
  sitemap: async (ctx) => (await services(ctx)).map(({ id }) => ({ path: `/service/${id}` })),
});
