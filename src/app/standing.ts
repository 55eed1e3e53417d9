import type { Standing } from '#/features/accounts/directory/commands.ts';
import { lockDiaries } from '#/features/booking/diary/queries.ts';
import { countToCome } from '#/features/booking/queries.ts';
import { mailAccountChange, mailFormerAddress } from '#/features/notifications/identity/commands.ts';
import { followAccount } from '#/features/providers/commands.ts';
import { hasListing } from '#/features/providers/queries.ts';

/** What later features have to do with who an account's person may be, which the directory of accounts can't know. */
export function standingOf({
  adminEmails,
  appUrl,
}: {
  adminEmails: readonly string[];
  appUrl: string;
}): Standing {
  return {
    adminEmails,
    hasListing,
    comingSessions: countToCome,
    holdSessions: (tx, userId) => lockDiaries(tx, [userId]),
    followListing: followAccount,
    tellFormerAddress: (tx, userId) => mailFormerAddress(tx, userId, appUrl),
    tellOfAccount: (tx, userId, change) => mailAccountChange(tx, userId, change, appUrl),
  };
}
