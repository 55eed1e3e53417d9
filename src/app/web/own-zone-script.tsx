import { use } from 'react';
import { AccountZoneContext } from '#/web/account-zone.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { PageHeadContext } from './page-head.ts';

/** Place it after the times: it runs before they are painted, and needn't wait for the page's own script. */
export function OwnZoneScript() {
  const { nonce, showOwnZone } = use(PageHeadContext);
  const known = use(AccountZoneContext) !== null;
  if (useHydrated() || known) return null;
  // oxlint-disable-next-line react/no-danger -- our own script
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: showOwnZone }} />;
}
