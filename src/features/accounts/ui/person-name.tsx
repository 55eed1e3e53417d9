import { useQuery } from '@tanstack/react-query';
import { PersonLink } from '#/features/access/ui/person-link.tsx';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';

/** For administrators, the name behind an id, as a link to the person's page. */
export function PersonName({ id }: { id: string }) {
  const query = useQuery(api.names.of.queryOptions({ input: { ids: [id] }, staleTime: 300_000 }));
  if (!query.data) return <>…</>;
  const [person] = query.data;
  return person ? <PersonLink id={id}>{person.name}</PersonLink> : <>{m.web_erased_account()}</>;
}
