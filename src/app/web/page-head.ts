import { createContext } from 'react';

/** What only the server's rendering knows: the nonce and the style sheet that stands in the page itself. */
export interface PageHead {
  nonce: string;
  css: string;
  requestId: string;
}

/** Empty in the browser, where React keeps what the server has written. */
export const PageHeadContext = createContext<PageHead>({ nonce: '', css: '', requestId: '' });
