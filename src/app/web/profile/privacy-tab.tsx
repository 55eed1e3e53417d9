import type { Viewer } from '#/features/accounts/contract.ts';

/** The tab of the profile page for privacy. */
export function PrivacyTab({ viewer }: { viewer: Viewer }) {
  return <p>{viewer.fullName}</p>;
}
