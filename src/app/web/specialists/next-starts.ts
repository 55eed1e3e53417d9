import type { NextStarts } from '#/features/specialist-search/contract.ts';
import { pageSize, timeFilterOf, type TimeFilter } from '#/features/specialist-search/ui/find-search.ts';
import type { PageRequest } from '../contexts.ts';

const anything: TimeFilter = { care: null, type: null, time: null, zone: null };

/** Loads specialists' next open times for a page. A failure is reported, and leaves them out. */
export async function nextStartsOf(
  { api, report }: PageRequest,
  providerIds: readonly string[],
  wish: TimeFilter = anything,
): Promise<NextStarts[]> {
  const pages = Array.from({ length: Math.ceil(providerIds.length / pageSize) }, (_, page) =>
    providerIds.slice(page * pageSize, (page + 1) * pageSize),
  );
  const found: NextStarts[] = [];
  try {
    // Sequential, to leave database connections for other requests.
    for (const ids of pages)
      found.push(
        ...(await api.specialistSearch.nextStarts({ providerIds: ids.join(','), ...timeFilterOf(wish) })),
      );
    return found;
  } catch (error) {
    report(error);
    return [];
  }
}
