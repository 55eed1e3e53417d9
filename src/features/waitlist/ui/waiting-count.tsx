import { useQuery, useQueryClient } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { useRealtime } from '#/web/realtime.tsx';

export function WaitingCount({ className }: { className?: string }) {
  const api = useApi();
  const queries = useQueryClient();
  useRealtime(({ type }) => {
    if (type === 'waitlist.changed' || type === 'connected')
      void queries.invalidateQueries({ queryKey: api.waitlist.key() });
  });
  const count = useQuery({ ...api.waitlist.count.queryOptions(), networkMode: 'always' }).data?.count ?? 0;
  if (count === 0) return null;
  return <p className={className}>{m.waitlist_count({ count })}</p>;
}
