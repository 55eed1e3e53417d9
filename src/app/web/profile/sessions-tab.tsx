import type { Viewer } from '#/features/accounts/contract.ts';

/** The tab of the profile page for sessions. */
export function SessionsTab({ viewer }: { viewer: Viewer }) {
  return <p>{viewer.fullName}</p>;
}
