import { createContext } from 'react';

/** Values that only the first response writes into the page. Browsers read the nonce and styles back from the page. */
export interface PageHead {
  nonce: string;
  css: string;
  /** Inline scripts. Empty in the browser, as they have run. */
  script: string;
  /** Another one, for pages with times (`own-zone-script.tsx`). */
  showOwnZone: string;
  /** Empty in the browser. */
  requestId: string;
}

export const PageHeadContext = createContext<PageHead>({
  nonce: '',
  css: '',
  script: '',
  showOwnZone: '',
  requestId: '',
});
