/**
 * Query options for dashboards: refetch each minute, since deadlines pass and sessions start without events. `always`
 * surfaces failures when the browser believes it's offline, instead of pausing.
 */
export const live = { refetchInterval: 60_000, networkMode: 'always' } as const;
