import { createContext } from 'react';

/** What the server's rendering knows and the browser reads from the page: the nonce, and the style sheet in its head. */
export interface PageHead {
  nonce: string;
  css: string;
  /** Empty in the browser. */
  requestId: string;
}

export const PageHeadContext = createContext<PageHead>({ nonce: '', css: '', requestId: '' });
