import type { Viewer } from '#/features/accounts/contract.ts';

/** The tab of the profile page for settings. */
export function SettingsTab({ viewer }: { viewer: Viewer }) {
  return <p>{viewer.fullName}</p>;
}
