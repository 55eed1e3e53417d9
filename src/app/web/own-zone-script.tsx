import { use } from 'react';
import { AccountZoneContext } from '#/web/account-zone.ts';
import { useHydrated } from '#/web/hydrated.ts';
import { PageHeadContext } from './page-head.ts';

/** Place it after the times. Where browsers can, painting waits for it; it needn't wait for the page's own script. */
export function OwnZoneScript() {
  const { nonce, showOwnZone } = use(PageHeadContext);
  const known = use(AccountZoneContext) !== null;
  if (useHydrated() || known) return null;
  return (
    <>
      <link rel="expect" href="#own-zone" blocking="render" />
      <script
        nonce={nonce}
        suppressHydrationWarning
        // oxlint-disable-next-line react/no-danger -- our own script
        dangerouslySetInnerHTML={{ __html: showOwnZone }}
      />
      {/* Parsed only once the script has run. */}
      <span id="own-zone" hidden />
    </>
  );
}
