import { useQuery } from '@tanstack/react-query';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';

export function WaitingCount() {
  useLiveQueries(api.waitlist.key(), 'waitlist.changed');
  const count = useQuery(api.waitlist.count.queryOptions()).data?.count ?? 0;
  if (count === 0) return null;
  return <p className="mt-2 text-sm text-quiet">{m.waitlist_count({ count })}</p>;
}
