import { isProvider, type Role } from '#/kernel/actor.ts';
import type { SuspensionReasons, UserOrders, UserStatuses } from './contract.ts';

/** The contract's statuses for screens, which don't load its shapes; the type holds the two together. */
export const userStatuses: UserStatuses = ['active', 'inactive', 'suspended'];

export type UserStatus = UserStatuses[number];

/** After so many days without a use an account is inactive; one that was never used is from the start. */
const inactiveAfterDays = 90;

/** The contract's orders for screens; the type holds the two together. */
export const userOrders: UserOrders = ['name', 'joined', 'lastActive'];

export type UserOrder = UserOrders[number];

/** The contract's reasons for screens; the type holds the two together. */
export const suspensionReasons: SuspensionReasons = ['conduct', 'safety', 'misuse', 'asked', 'other'];

export type SuspensionReason = SuspensionReasons[number];

/** So many are counted one by one; beyond that the directory says 'more than'. */
export const countedUpTo = 1_000;

/** How many rows a part of the exported file has. */
export const exportedAtOnce = 5_000;

/** What an account is at an instant. */
export function statusOf(
  account: { suspended: boolean; lastActive: Temporal.Instant | null },
  now: Temporal.Instant,
): UserStatus {
  if (account.suspended) return 'suspended';
  const { lastActive } = account;
  return lastActive && Temporal.Instant.compare(lastActive, inactiveBefore(now)) >= 0 ? 'active' : 'inactive';
}

/** Who wasn't here since is inactive. */
export function inactiveBefore(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: 24 * inactiveAfterDays });
}

/**
 * The roles that an account can be given instead of its own: a specialist's only where it has a listing, an
 * administrator's only where its verified address is a configured one.
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
