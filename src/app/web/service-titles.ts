import type { LoaderFunctionArgs } from 'react-router';
import { pageRequest } from './contexts.ts';

/** Loads the services that the footer and forms of a page list. */
export async function loadServices({ context }: Pick<LoaderFunctionArgs, 'context'>) {
  const services = await context.get(pageRequest).api.catalogue.services();
  return { services: services.map(({ id, title }) => ({ id, title })) };
}
