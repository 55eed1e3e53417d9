import { createContext } from 'react';

/** Nonce and inline styles: set by the server, read back from the page in browsers. */
export interface PageHead {
  nonce: string;
  css: string;
  /** Empty in the browser. */
  requestId: string;
}

export const PageHeadContext = createContext<PageHead>({ nonce: '', css: '', requestId: '' });
