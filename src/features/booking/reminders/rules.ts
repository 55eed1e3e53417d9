/** One reminder to be sent; instants are epoch milliseconds. */
export interface PlannedReminder {
  personId: string;
  kind: 'own' | 'site';
  dueAt: number;
}

/**
 * The reminders of a session that starts at `start`: the client's own, and the site's to both parties and those who were
 * invited to it. One whose time has passed isn't sent, and the client isn't reminded twice at the same instant.
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
