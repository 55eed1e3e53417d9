import type { Viewer } from '#/features/accounts/contract.ts';

/** The tab of the profile page for profile. */
export function ProfileTab({ viewer }: { viewer: Viewer }) {
  return <p>{viewer.fullName}</p>;
}
