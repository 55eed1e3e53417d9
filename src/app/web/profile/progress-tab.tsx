import type { Viewer } from '#/features/accounts/contract.ts';

/** The tab of the profile page for progress. */
export function ProgressTab({ viewer }: { viewer: Viewer }) {
  return <p>{viewer.fullName}</p>;
}
