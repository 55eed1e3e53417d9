/** Dashboards refetch each minute: deadlines pass and sessions start without events. */
export const live = { refetchInterval: 60_000 } as const;
