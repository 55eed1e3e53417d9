import type { LoaderFunctionArgs } from 'react-router';
import { pageRequest, type PageRequest } from './contexts.ts';

/** Returns the services that the footer and forms of a page list. */
export async function serviceTitles({
  api,
}: Pick<PageRequest, 'api'>): Promise<{ id: string; title: string }[]> {
  return (await api.catalogue.services()).map(({ id, title }) => ({ id, title }));
}

/** The loader of pages that need nothing else. */
export async function loadServices({ context }: LoaderFunctionArgs) {
  return { services: await serviceTitles(context.get(pageRequest)) };
}
