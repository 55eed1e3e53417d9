import type { Viewer } from '#/features/accounts/contract.ts';

/** The tab of the profile page for resources. */
export function ResourcesTab({ viewer }: { viewer: Viewer }) {
  return <p>{viewer.fullName}</p>;
}
