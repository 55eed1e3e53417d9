import type { AccountEffects } from '#/features/accounts/users/commands.ts';
import { lockSessions, settleSessions } from '#/features/appointments/handover/commands.ts';
import { countToCome } from '#/features/appointments/appointment/queries.ts';
import { appointmentsWithGuests } from '#/features/attendees/queries.ts';
import { mailAccountChange, mailAddresses } from '#/features/notifications/letters/account-changes.ts';
import { followCredentials } from '#/features/providers/expiry/commands.ts';
import { hasListing } from '#/features/providers/practice/queries.ts';

/** Functions of later features that the accounts directory needs. */
export function accountEffects({
  adminEmails,
  appUrl,
}: {
  adminEmails: readonly string[];
  appUrl: string;
}): AccountEffects {
  return {
    adminEmails,
    hasListing,
    comingSessions: countToCome,
    lockSessions: (tx, userId, plan = []) => lockSessions(tx, userId, plan, appointmentsWithGuests),
    settleSessions: (tx, userId, plan) => settleSessions(tx, userId, plan, appointmentsWithGuests),
    followListing: followCredentials,
    tellAddresses: (tx, userId, addresses, outcome) => mailAddresses(tx, userId, addresses, outcome, appUrl),
    tellOfAccount: (tx, userId, change) => mailAccountChange(tx, userId, change, appUrl),
  };
}
