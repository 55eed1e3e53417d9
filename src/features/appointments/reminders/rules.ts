/** Instants are epoch milliseconds. */
export interface PlannedReminder {
  personId: string;
  kind: 'own' | 'site';
  dueAt: number;
}

/**
 * Plans the client's own reminder and the site's for everyone attending. Skips past times, and duplicates for the
 * client.
 */
export function plannedReminders(session: {
  start: number;
  clientId: string;
  providerId: string;
  guestIds?: readonly string[];
  ownMinutes: number;
  siteMinutes: number;
  now: number;
}): PlannedReminder[] {
  const { start, clientId, providerId, guestIds = [], ownMinutes, siteMinutes, now } = session;
  const site = { kind: 'site' as const, dueAt: start - siteMinutes * 60_000 };
  const planned: PlannedReminder[] = [
    { personId: clientId, kind: 'own', dueAt: start - ownMinutes * 60_000 },
    { personId: providerId, ...site },
    ...guestIds.map((personId) => ({ personId, ...site })),
  ];
  if (siteMinutes !== ownMinutes) planned.push({ personId: clientId, ...site });
  return planned.filter(({ dueAt }) => dueAt > now);
}
