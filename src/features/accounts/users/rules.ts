import { isProvider, type Role } from '#/kernel/actor.ts';

/** `inactive`: long unused; `suspended`: closed by an administrator. */
export const userStatuses = ['active', 'inactive', 'suspended'] as const;

export type UserStatus = (typeof userStatuses)[number];

/** Days without activity before an account counts as inactive; never used counts immediately. */
const inactiveAfterDays = 90;

export const userOrders = ['name', 'joined', 'lastActive'] as const;

export type UserOrder = (typeof userOrders)[number];

/** Closed set, since the audit log records it. */
export const suspensionReasons = ['conduct', 'safety', 'misuse', 'asked', 'other'] as const;

export type SuspensionReason = (typeof suspensionReasons)[number];

/** Accounts on a page. */
export const maxListed = 100;

/** Accounts that a numbered page may follow. */
export const maxSkipped = 100_000;

/** Beyond it, the directory shows "more than". */
export const countedUpTo = 1_000;

/** Rows per export chunk. */
export const exportedAtOnce = 5_000;

export function statusOf(
  account: { suspended: boolean; lastActive: Temporal.Instant | null },
  now: Temporal.Instant,
): UserStatus {
  if (account.suspended) return 'suspended';
  const { lastActive } = account;
  return lastActive && Temporal.Instant.compare(lastActive, inactiveBefore(now)) >= 0 ? 'active' : 'inactive';
}

export function inactiveBefore(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: 24 * inactiveAfterDays });
}

/**
 * Returns roles the account can change to: specialist roles require a listing, the administrator role a verified
 * configured address.
 */
export function offeredRoles(account: { role: Role; hasListing: boolean; adminAddress: boolean }): Role[] {
  const { role, hasListing, adminAddress } = account;
  const all: readonly Role[] = ['client', 'doctor', 'pastor', 'super_admin'];
  return all.filter((one) => {
    if (one === role) return false;
    if (isProvider(one)) return hasListing;
    return one === 'client' || adminAddress;
  });
}
