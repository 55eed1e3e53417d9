/**
 * How the dashboards ask: anew each minute, since deadlines pass and sessions begin by themselves; and also while
 * the browser believes itself offline, so that a failure is told and not waited out.
 */
export const live = { refetchInterval: 60_000, networkMode: 'always' } as const;
