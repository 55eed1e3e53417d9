import type { PageRequest } from './contexts.ts';

/** Returns the services that the footer and forms of a page list. */
export async function serviceTitles({
  api,
}: Pick<PageRequest, 'api'>): Promise<{ id: string; title: string }[]> {
  return (await api.catalogue.services()).map(({ id, title }) => ({ id, title }));
}
