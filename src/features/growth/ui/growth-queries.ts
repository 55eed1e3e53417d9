import type { api } from '#/web/api.tsx';

type Growth = typeof api.growth;

/** Page sizes. */
const pages = { goals: 20, entries: 10, prayers: 10, received: 20 } as const;

type AfterEntry = { beforeDate: string; beforeId: string } | undefined;
type AfterPrayer = { beforeAt: string; beforeId: string } | undefined;

export function goalsQuery(growth: Growth, state: 'open' | 'achieved') {
  return growth.goals.list.infiniteOptions({
    input: (offset: number) => ({ state, limit: pages.goals, offset }),
    initialPageParam: 0,
    getNextPageParam: (last, all) => (last.more ? all.length * pages.goals : undefined),
  });
}

/** `month` is `YYYY-MM`; empty for all months. */
export function journalQuery(growth: Growth, month: string) {
  return growth.journal.list.infiniteOptions({
    input: (after: AfterEntry) => ({ ...(month === '' ? {} : { month }), ...after, limit: pages.entries }),
    initialPageParam: undefined as AfterEntry,
    getNextPageParam: (last): AfterEntry => {
      const end = last.entries.at(-1);
      return last.more && end ? { beforeDate: end.date, beforeId: end.id } : undefined;
    },
  });
}

export function prayersQuery(growth: Growth) {
  return growth.prayers.mine.infiniteOptions({
    input: (after: AfterPrayer) => ({ ...after, limit: pages.prayers }),
    initialPageParam: undefined as AfterPrayer,
    getNextPageParam: afterPrayer,
  });
}

export function receivedQuery(growth: Growth, state: 'open' | 'answered') {
  return growth.prayers.received.infiniteOptions({
    input: (after: AfterPrayer) => ({ ...after, state, limit: pages.received }),
    initialPageParam: undefined as AfterPrayer,
    getNextPageParam: afterPrayer,
  });
}

function afterPrayer(last: {
  more: boolean;
  prayers: readonly { id: string; askedAt: string }[];
}): AfterPrayer {
  const end = last.prayers.at(-1);
  return last.more && end ? { beforeAt: end.askedAt, beforeId: end.id } : undefined;
}
