import { useQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';

export function PersonName({ id }: { id: string }) {
  const api = useApi();
  const query = useQuery(api.names.of.queryOptions({ input: { ids: [id] }, staleTime: 300_000 }));
  if (!query.data) return <>…</>;
  return <>{query.data[0]?.name ?? m.settings_entry_gone()}</>;
}
