import type { Ask } from '../prefetch.ts';

/** The newest applications on the administrator's home page. */
export const pendingInput = { status: 'pending', limit: 5 } as const;

/** The specialists on the administrator's home page. */
export const directoryInput = { limit: 6 };

/** The first queries of an administrator's home page. */
export const administratorData: Ask = (queries, { analytics, providers }) => [
  queries.query(analytics.attention.queryOptions()),
  queries.query(analytics.overview.queryOptions()),
  queries.query(analytics.health.queryOptions()),
  queries.query(providers.applications.list.queryOptions({ input: pendingInput })),
  queries.query(providers.list.queryOptions({ input: directoryInput })),
];
